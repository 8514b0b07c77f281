import { expect, it } from 'vitest';

import { testContext } from '#commands/testkit/context.ts';
import { tune } from '#commands/testkit/gadget.ts';

import { startDraft } from './draft.ts';

it('defaults its target only to a selection or active row of its own entity', () => {
  const argsFrom = (focus: Parameters<typeof testContext>[0]) => startDraft(tune, {}, testContext(focus)).args;
  expect(argsFrom({ focus: { entity: 'gadget', active: 'AAAA BBBB' } })).toEqual({ gadgets: { ids: ['AAAA BBBB'] } });
  expect(argsFrom({ focus: { entity: 'gadget', target: { query: '*' }, count: 3 } })).toEqual({
    gadgets: { query: '*' },
  });
  expect(argsFrom({ focus: { entity: 'gadget' } })).toEqual({});
  expect(argsFrom({ focus: { entity: 'widget', active: 'AAAA BBBB' } })).toEqual({});
  expect(argsFrom({ focus: undefined })).toEqual({});
});
