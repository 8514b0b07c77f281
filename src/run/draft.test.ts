import { expect, it } from 'vitest';

import { testContext } from '#commands/testkit/context.ts';
import { tune } from '#commands/testkit/gadget.ts';

import { startDraft } from './draft.ts';

it('takes its target from the selection or the active row of its own entity only', () => {
  const started = (focus: Parameters<typeof testContext>[0]) => startDraft(tune, {}, testContext(focus)).args;
  expect(started({ focus: { entity: 'gadget', active: 'AAAA BBBB' } })).toEqual({ gadgets: { ids: ['AAAA BBBB'] } });
  expect(started({ focus: { entity: 'gadget', target: { query: '*' }, count: 3 } })).toEqual({
    gadgets: { query: '*' },
  });
  expect(started({ focus: { entity: 'gadget' } })).toEqual({});
  expect(started({ focus: { entity: 'widget', active: 'AAAA BBBB' } })).toEqual({});
  expect(started({ focus: undefined })).toEqual({});
});
