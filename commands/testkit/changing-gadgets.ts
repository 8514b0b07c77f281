import type { ConnectError } from '@connectrpc/connect';
import { beforeEach } from 'vitest';

import { command, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { p, required } from '#commands/model/params.ts';
import { succeededResults } from '#commands/model/result.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { runInBatches } from '#commands/run/batch.ts';
import type { CompletedRun } from '#commands/run/completed-run.ts';
import type { Entry } from '#commands/run/history.ts';
import { prepare, run } from '#commands/run/run.ts';
import { prepareUndo } from '#commands/run/undo.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message } from '#commands/text/message.ts';

import { testContext } from './context.ts';
import { gadget as baseGadget, type Gadget } from './gadget.ts';

type Mutable = { -readonly [Name in keyof Gadget]: Gadget[Name] };

/** Mutable test state: the gadgets, an optional rejection, and a count of lookups. */
export const world = {
  gadgets: [] as Mutable[],
  rejectionFor: (_chunk: readonly Gadget[]): ConnectError | undefined => undefined,
  lookups: 0,
};

/** Starts each test with three gadgets. */
export function setUpGadgets(): void {
  beforeEach(() => {
    world.lookups = 0;
    world.gadgets = [
      { id: 'AAAA BBBB', name: 'North pump', state: 'OK' },
      { id: 'CCCC DDDD', name: 'South pump', state: 'ERROR' },
      { id: 'EEEE FFFF', name: 'Well 7', state: 'ERROR' },
    ];
    world.rejectionFor = () => undefined;
  });
}

const gadget: Entity<Gadget> = {
  ...(baseGadget as Entity<Gadget>),
  byIds: async (_context, ids) => {
    world.lookups++;
    return world.gadgets.filter(({ id }) => ids.includes(id)).map((item) => ({ ...item }));
  },
};
export const byId = (id: string): Mutable => world.gadgets.find((item) => item.id === id)!;

/** Sets a state. The inverse has one step for each previous state. */
export const set = command({
  id: 'gadget.set',
  effect: 'write',
  params: { gadgets: p.many(() => gadget), state: required(p.choice(['OK', 'WARNING', 'ERROR'])) },
  plan: async (_context, { gadgets: { items }, state }) => {
    const itemsToChange = items.filter((item) => item.state !== state);
    return {
      summary: message('gadget:set', { state }),
      count: itemsToChange.length,
      changes: itemsToChange.map((item) => ({
        id: item.id,
        label: item.name,
        field: message('gadget:state'),
        before: item.state,
        after: state,
      })),
      reversible: true,
    };
  },
  run: async (context, { gadgets: { items }, state }) => {
    const results = await runInBatches(context, {
      items: items.filter((item) => item.state !== state),
      id: ({ id }) => id,
      label: ({ name }) => name,
      size: 1,
      change: async (chunk) => {
        const rejection = world.rejectionFor(chunk);
        if (rejection) throw rejection;
        for (const { id } of chunk) byId(id).state = state;
      },
    });
    return { changed: ['gadget'], results, message: message('gadget:wasSet', { state }) };
  },
  inverse: ({ gadgets: { items } }, outcome) => {
    const ids = new Set(succeededResults(outcome).map(({ id }) => id));
    const formerStates = groupBy(
      items.filter(({ id }) => ids.has(id)),
      ({ state }) => state,
    );
    return [...formerStates].map(([state, group]) => ({
      id: 'gadget.set',
      args: { gadgets: { ids: group.map(({ id }) => id) }, state },
    }));
  },
});

export const drop = command({
  id: 'gadget.drop',
  effect: 'destructive',
  params: { gadgets: p.many(() => gadget) },
  plan: async (_context, { gadgets: { items } }) => ({
    summary: message('gadget:drop'),
    count: items.length,
    changes: [],
    reversible: false,
    confirm: items[0]?.name ?? '',
  }),
  run: async (_context, { gadgets: { ids } }) => {
    world.gadgets = world.gadgets.filter(({ id }) => !ids.includes(id));
    return { results: ids.map((id) => ({ id, label: id })) };
  },
});

export const make = command({
  id: 'gadget.make',
  effect: 'write',
  plan: async () => ({ summary: message('gadget:make'), count: 1, changes: [], reversible: true }),
  run: async () => {
    world.gadgets.push({ id: 'ABCD ABCD', name: 'New', state: 'OK' });
    return { results: [{ id: 'ABCD ABCD', label: 'New' }] };
  },
  inverse: () => [{ id: 'gadget.drop', args: { gadgets: { ids: ['ABCD ABCD'] } } }],
});

/** A command without a target, a plan, or a message. */
export const peek = command({ id: 'gadget.peek', effect: 'read', run: async () => ({}) });

export const registry = createRegistry([{ commands: [set, drop, make, peek] }]);
export const createEntry = (completedRun: CompletedRun): Entry => ({ run: completedRun, undone: false });
export async function runEntry(
  command: Command,
  args: Invocation['args'] = {},
  context: Context = testContext(),
): Promise<Entry> {
  return createEntry(await run(await prepare(command, args, context), context));
}
export const setAllToWarning = () =>
  runEntry(set, { gadgets: { ids: world.gadgets.map(({ id }) => id) }, state: 'WARNING' });
export const prepareEntry = (entry: Entry, skippedLater = false) =>
  prepareUndo({ entry, skippedLater }, registry, testContext());
export const states = () => world.gadgets.map(({ state }) => state);
export const keys = (notes: readonly { key: string }[] = []) => notes.map(({ key }) => key);
