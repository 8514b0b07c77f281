import { expect, test } from 'vitest';

import { tune } from '#commands/testkit/gadget.ts';

import { argsOf, currentValue, draftOf, enterValue } from './draft.ts';

const initialState = { values: { mode: 'INSTALLED', keywords: ['a'] } };

test('shows invalid text instead of the initial value and does not submit that value', () => {
  const draft = draftOf({}, initialState, { mode: '][' });
  expect(currentValue(draft, 'mode')).toBeUndefined();
  expect(argsOf(tune, draft)).toEqual({});
  const correctedDraft = enterValue(draft, 'mode', 'DECOMMISSIONED');
  expect(currentValue(correctedDraft, 'mode')).toBe('DECOMMISSIONED');
  expect(argsOf(tune, correctedDraft)).toEqual({ mode: 'DECOMMISSIONED' });
});

test('shows unfinished text of a list next to its items', () => {
  expect(currentValue(draftOf({}, initialState, { keywords: 'b' }), 'keywords')).toEqual(['a']);
});
