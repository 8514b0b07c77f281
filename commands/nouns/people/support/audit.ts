import { listCommand } from '#commands/kit/standard.ts';
import { command } from '#commands/model/command.ts';
import { p } from '#commands/model/params.ts';
import { supportSession } from '#commands/nouns/people/support-session/entity.ts';

const list = listCommand(supportSession);

/** Lists the support sessions in all organizations, optionally filtered. Only support staff can use it. */
export const audit = command({
  id: 'support.audit',
  requires: 'CUSTOMER_SUPPORT',
  effect: 'navigate',
  params: { filter: p.query(() => supportSession), limit: p.number({ integer: true, min: 1, max: 100_000 }) },
  positional: ['filter'],
  run: (context, { filter = '', limit }) => list.run(context, { filter: `${filter} everywhere:true`.trim(), limit }),
});
