import { LETTERS } from '#commands/kit/letters.ts';
import { command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import { p } from '#commands/model/params.ts';

import { parser } from '../entity.ts';
import { idOf } from '../item.ts';

const path = (suffix: string) => ({ path: `${parser.screen?.path ?? ''}/${suffix}` });

/** Opens a parser on the bench. */
export const openBench = command({
  id: 'parser.open-bench',
  on: () => parser,
  requires: 'MANAGE_PARSERS',
  effect: 'navigate',
  needs: ['navigate'],
  keys: [LETTERS.workbench],
  params: { parsers: p.many(() => parser, { atMost: 1 }) },
  positional: ['parsers'],
  run: async (context, { parsers: { items } }) => {
    const [item] = items;
    if (item) requireCapability(context, 'navigate')(path(`${encodeURIComponent(idOf(item))}/update`));
    return {};
  },
});

/** Opens the bench for a new parser. */
export const writeParser = command({
  id: 'parser.write',
  requires: 'MANAGE_PARSERS',
  effect: 'navigate',
  preparesChange: true,
  needs: ['navigate'],
  run: async (context) => {
    requireCapability(context, 'navigate')(path('create'));
    return {};
  },
});

/** Opens the bench to build a new parser field by field. */
export const buildParser = command({
  id: 'parser.build',
  requires: 'MANAGE_PARSERS',
  effect: 'navigate',
  preparesChange: true,
  needs: ['navigate'],
  run: async (context) => {
    requireCapability(context, 'navigate')(path('create/simple'));
    return {};
  },
});
