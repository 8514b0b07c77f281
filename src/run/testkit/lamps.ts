import { command } from '#commands/model/command.ts';
import { entity } from '#commands/model/entity.ts';
import { p, required } from '#commands/model/params.ts';
import type { Change } from '#commands/model/plan.ts';
import { succeededResults } from '#commands/model/result.ts';
import { work } from '#commands/nouns/console/app/work.ts';
import { runInBatches } from '#commands/run/batch.ts';
import { message } from '#commands/text/message.ts';
import { loadersFor } from '#src/registry/testkit/loaders.ts';

/** The colors of the lamps, keyed by the lamp's name. A dark lamp has an empty color. */
export const lamps = new Map<string, string>();

/** The lamps that were read, latest last. */
export const readLamps: string[] = [];

let rejection: { readonly id: string; readonly error: Error } | undefined;
let gate: Promise<void> = Promise.resolve();

export function reset(): void {
  lamps.clear();
  readLamps.length = 0;
  for (const id of ['a', 'b', 'c']) lamps.set(id, '');
  rejection = undefined;
  gate = Promise.resolve();
}

/** Makes the server reject changes to the given lamp. */
export function rejectChanges(id: string | undefined, error = new Error('rejected')): void {
  rejection = id === undefined ? undefined : { id, error };
}

/** Blocks the next calls until the returned function is called. */
export function pause(): () => void {
  let resume = (): void => undefined;
  gate = new Promise((resolve) => (resume = resolve));
  return resume;
}

interface Lamp {
  readonly id: string;
  readonly color: string;
}

const lamp = entity<Lamp, object>({
  name: 'lamp',
  plural: 'lamps',
  screen: { path: '/lamps' },
  id: ({ id }) => id,
  label: ({ id }) => id,
  json: (item) => item,
  isId: () => true,
  toId: String,
  list: async () => ({ items: [], total: 0 }),
  byIds: async (_context, ids) =>
    ids.flatMap((id) => {
      const color = lamps.get(id);
      return color === undefined ? [] : [{ id, color }];
    }),
  find: async () => [],
  search: async () => [],
  emptySelection: () => ({}),
  filter: {},
  sorts: [],
  columns: [],
});

const changesTo = (items: readonly Lamp[], after: string): readonly Change[] =>
  items
    .filter(({ color }) => color !== after)
    .map(({ id, color }) => ({ id, label: id, field: message('lamp:color'), before: color, after }));

/** Creates a command that sets a color. Undo restores each lamp's previous color. */
function createColorCommand(
  verb: string,
  text: string,
  colorOf: (args: { readonly color?: string | undefined }) => string,
) {
  return command({
    id: `lamp.${verb}`,
    effect: 'write',
    params: { lamps: p.many(() => lamp), color: verb === 'paint' ? required(p.text({ clears: true })) : p.text() },
    plan: async (_context, { lamps: { items }, ...args }) => {
      const changes = changesTo(items, colorOf(args));
      return { summary: message(`lamp:${verb}`), count: changes.length, changes, reversible: true };
    },
    run: async (context, { lamps: { items }, ...args }) => {
      const color = colorOf(args);
      const results = await runInBatches(context, {
        items: items.filter((item) => item.color !== color),
        id: ({ id }) => id,
        label: ({ id }) => id,
        size: 1,
        change: async ([item]) => {
          await gate;
          if (item!.id === rejection?.id) throw rejection.error;
          lamps.set(item!.id, color);
        },
      });
      return { changed: ['lamp'], results, message: message(`lamp:${text}`) };
    },
    inverse: ({ lamps: { items } }, outcome) => {
      const changedIds = new Set(succeededResults(outcome).map(({ id }) => id));
      const previous = items.filter(({ id }) => changedIds.has(id));
      if (verb === 'light') return [{ id: 'lamp.darken', args: { lamps: { ids: previous.map(({ id }) => id) } } }];
      return previous.map(({ id, color }) => ({ id: 'lamp.paint', args: { lamps: { ids: [id] }, color } }));
    },
  });
}

const remove = command({
  id: 'lamp.remove',
  effect: 'destructive',
  params: { lamps: p.many(() => lamp) },
  plan: async (_context, { lamps: { items } }) => ({
    summary: message('lamp:remove'),
    count: items.length,
    changes: [],
    reversible: false,
    confirm: items[0]?.id ?? '',
  }),
  run: async (_context, { lamps: { ids } }) => {
    if (rejection && ids.includes(rejection.id)) throw rejection.error;
    for (const id of ids) lamps.delete(id);
    return { results: ids.map((id) => ({ id, label: id })), message: message('lamp:removed') };
  },
});

const add = command({
  id: 'lamp.add',
  effect: 'write',
  plan: async () => ({ summary: message('lamp:add'), count: 1, changes: [], reversible: true }),
  run: async () => {
    lamps.set('new', '');
    return { results: [{ id: 'new', label: 'new' }], message: message('lamp:added') };
  },
  inverse: () => [{ id: 'lamp.remove', args: { lamps: { ids: ['new'] } } }],
});

/** Replaces `a` with a new lamp. Undo has a step for each lamp. */
const exchange = command({
  id: 'lamp.exchange',
  effect: 'write',
  plan: async () => ({ summary: message('lamp:exchange'), count: 2, changes: [], reversible: true }),
  run: async () => {
    lamps.set('new', lamps.get('a') ?? '').set('a', '');
    return { results: ['new', 'a'].map((id) => ({ id, label: id })) };
  },
  inverse: () => [
    { id: 'lamp.light', args: { lamps: { ids: ['a'] } } },
    { id: 'lamp.remove', args: { lamps: { ids: ['new'] } } },
  ],
});

/** Renames a lamp, whose name is also its id. */
const rename = command({
  id: 'lamp.rename',
  effect: 'write',
  params: { lamps: p.many(() => lamp), name: required(p.text()) },
  plan: async () => ({ summary: message('lamp:rename'), count: 1, changes: [], reversible: true }),
  run: async (_context, { lamps: { items }, name }) => {
    const { id, color } = items[0]!;
    lamps.delete(id);
    lamps.set(name, color);
    return { changed: ['lamp'], results: [{ id, label: id, renamedTo: { entity: 'lamp', id: name } }] };
  },
  inverse: ({ lamps: { items }, name }) => [
    { id: 'lamp.rename', args: { lamps: { ids: [name] }, name: items[0]!.id } },
  ],
});

const blink = command({
  id: 'lamp.blink',
  effect: 'write',
  plan: async () => ({ summary: message('lamp:blink'), count: 1, changes: [], reversible: false, harmless: true }),
  run: async () => ({ message: message('lamp:blinked') }),
});

/** Reads each lamp. */
const look = command({
  id: 'lamp.look',
  effect: 'read',
  params: { lamps: p.many(() => lamp) },
  run: async (context, { lamps: { items } }) => ({
    results: await runInBatches(context, {
      items,
      id: ({ id }) => id,
      label: ({ id }) => id,
      size: 1,
      change: async ([item]) => {
        readLamps.push(item!.id);
        if (item!.id === rejection?.id) throw rejection.error;
      },
    }),
  }),
});

const nouns = {
  lamp: {
    entity: lamp,
    commands: [
      createColorCommand('light', 'lit', () => 'white'),
      createColorCommand('darken', 'darkened', () => ''),
      createColorCommand('paint', 'painted', ({ color = '' }) => color),
      remove,
      add,
      exchange,
      rename,
      blink,
      look,
    ],
  },
  app: { commands: work },
};

/** Stands in for `src/registry/loaders.ts`. */
export const loaders = loadersFor(nouns);
