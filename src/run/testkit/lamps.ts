import { work } from '#commands/nouns/console/app/work.ts';
import { inBatches } from '#commands/kit/batch.ts';
import { command } from '#commands/model/command.ts';
import { entity } from '#commands/model/entity.ts';
import { message } from '#commands/text/message.ts';
import { p, required } from '#commands/model/params.ts';
import type { Change } from '#commands/model/plan.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { succeeded } from '#commands/model/result.ts';

/** Lamps by name, and the colour that each shines in; dark ones have none. */
export const lamps = new Map<string, string>();

let refused: { readonly id: string; readonly error: Error } | undefined;
let gate: Promise<void> = Promise.resolve();

export function reset(): void {
  lamps.clear();
  for (const id of ['a', 'b', 'c']) lamps.set(id, '');
  refused = undefined;
  gate = Promise.resolve();
}

/** From now on the server refuses to change this one. */
export function refuse(id: string | undefined, error = new Error('refused')): void {
  refused = id === undefined ? undefined : { id, error };
}

/** Holds the next calls until the function that it returns is called. */
export function pause(): () => void {
  let go = (): void => undefined;
  gate = new Promise((resolve) => (go = resolve));
  return go;
}

interface Lamp {
  readonly id: string;
  readonly colour: string;
}

const lamp = entity<Lamp, object>({
  name: 'lamp',
  plural: 'lamps',
  id: ({ id }) => id,
  label: ({ id }) => id,
  json: (item) => item,
  isId: () => true,
  toId: String,
  list: async () => ({ items: [], total: 0 }),
  byIds: async (_context, ids) =>
    ids.flatMap((id) => {
      const colour = lamps.get(id);
      return colour === undefined ? [] : [{ id, colour }];
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
    .filter(({ colour }) => colour !== after)
    .map(({ id, colour }) => ({ id, label: id, field: message('lamp:colour'), before: colour, after }));

/** Sets a colour; undo gives each its former one. */
function setting(verb: string, text: string, colourOf: (args: { readonly colour?: string | undefined }) => string) {
  return command({
    id: `lamp.${verb}`,
    effect: 'write',
    params: { lamps: p.many(() => lamp), colour: verb === 'paint' ? required(p.text({ clears: true })) : p.text() },
    plan: async (_context, { lamps: { items }, ...args }) => {
      const changes = changesTo(items, colourOf(args));
      return { summary: message(`lamp:${verb}`), count: changes.length, changes, reversible: true };
    },
    run: async (context, { lamps: { items }, ...args }) => {
      const colour = colourOf(args);
      const results = await inBatches(context, {
        items: items.filter((item) => item.colour !== colour),
        id: ({ id }) => id,
        label: ({ id }) => id,
        size: 1,
        each: async ([item]) => {
          await gate;
          if (item!.id === refused?.id) throw refused.error;
          lamps.set(item!.id, colour);
        },
      });
      return { changed: ['lamp'], results, message: message(`lamp:${text}`) };
    },
    inverse: ({ lamps: { items } }, outcome) => {
      const done = new Set(succeeded(outcome).map(({ id }) => id));
      const former = items.filter(({ id }) => done.has(id));
      if (verb === 'light') return [{ id: 'lamp.darken', args: { lamps: { ids: former.map(({ id }) => id) } } }];
      return former.map(({ id, colour }) => ({ id: 'lamp.paint', args: { lamps: { ids: [id] }, colour } }));
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
    if (refused && ids.includes(refused.id)) throw refused.error;
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

/** Puts a new lamp in the place of `a`; undo has a part for each of the two. */
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

const blink = command({
  id: 'lamp.blink',
  effect: 'write',
  plan: async () => ({ summary: message('lamp:blink'), count: 1, changes: [], reversible: false, harmless: true }),
  run: async () => ({ message: message('lamp:blinked') }),
});

export const registry = createRegistry([
  {
    entity: lamp,
    commands: [
      setting('light', 'lit', () => 'white'),
      setting('darken', 'darkened', () => ''),
      setting('paint', 'painted', ({ colour = '' }) => colour),
      remove,
      add,
      exchange,
      blink,
      ...work,
    ],
  },
]);
