import { command } from '#commands/model/command.ts';
import { p, required } from '#commands/model/params.ts';
import { work } from '#commands/nouns/console/app/work.ts';
import { gadget, simplePlan } from '#commands/testkit/gadget.ts';
import { loadersFor } from '#src/registry/testkit/loaders.ts';

/** The results of the commands, their side effects, and the arguments of each run. */
export const crane = {
  outcome: {} as object,
  during: (): unknown => undefined,
  /** What `crane.wreck` does while planning. */
  duringPlan: (): unknown => undefined,
  runs: [] as unknown[],
};

const run = async (_context: unknown, args: object): Promise<object> => {
  crane.runs.push(args);
  await crane.during();
  return crane.outcome;
};
const plan = simplePlan;
const gadgets = p.many(() => gadget);

const commands = [
  command({
    id: 'crane.lift',
    effect: 'write',
    plan,
    params: { gadgets },
    run,
    inverse: () => [{ id: 'crane.lower', args: {} }],
  }),
  command({ id: 'crane.lower', effect: 'write', plan, run }),
  command({
    id: 'crane.wreck',
    effect: 'destructive',
    plan: async () => {
      await crane.duringPlan();
      return { ...(await plan()), reversible: false };
    },
    run,
  }),
  command({ id: 'crane.look', effect: 'read', params: { gadgets }, run }),
  command({ id: 'crane.visit', effect: 'navigate', run }),
  command({ id: 'crane.ask', effect: 'read', mayPrompt: () => true, run }),
  command({ id: 'crane.name', effect: 'write', plan, params: { name: required(p.text()) }, run }),
  command({ id: 'crane.note', effect: 'write', plan, params: { note: required(p.text({ multiline: true })) }, run }),
];

/** Stands in for `src/registry/loaders.ts`. */
export const loaders = loadersFor({
  crane: { commands },
  gadget: { entity: gadget, commands: [] },
  app: { commands: work },
});
