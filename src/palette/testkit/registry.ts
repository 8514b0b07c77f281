import { openCommand } from '#commands/kit/standard.ts';
import { command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { p, required, requiredUnless } from '#commands/model/params.ts';
import { submitForm } from '#commands/nouns/console/app/submit-form.ts';
import { createRegistry, type Registry } from '#commands/registry/registry.ts';
import { gadget, type Gadget, simplePlan } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';
import { loadersFor } from '#src/registry/testkit/loaders.ts';

/** The commands that ran, newest last. */
export const runLog: { readonly id: string; readonly args: unknown }[] = [];

const ids = (items: readonly Gadget[]) => items.map((item) => item.id);

/** Sets the state of gadgets. Runs immediately for one gadget, and after confirmation for several. */
export const mark = command({
  id: 'gadget.mark',
  on: () => gadget as unknown as AnyEntity,
  effect: 'write',
  keys: ['m'],
  params: {
    gadgets: p.many(() => gadget),
    state: required(p.choice(['OK', 'WARNING', 'ERROR'])),
    note: p.text(),
  },
  positional: ['gadgets', 'state'],
  plan: async (_context, { gadgets: { items }, state }) => {
    const itemsToChange = items.filter(({ state: before }) => before !== state);
    return {
      summary: message('gadget:plan', { count: itemsToChange.length, state }),
      count: itemsToChange.length,
      changes: itemsToChange.map(({ id, name, state: before }) => ({
        id,
        label: name,
        field: message('gadget:state'),
        before,
        after: state,
      })),
      reversible: true,
    };
  },
  run: async (_context, { gadgets, state, note }) => {
    runLog.push({ id: 'gadget.mark', args: { ids: ids(gadgets.items), state, note } });
    return {};
  },
  inverse: () => [],
});

export const scrap = command({
  id: 'gadget.scrap',
  on: () => gadget as unknown as AnyEntity,
  effect: 'destructive',
  params: { gadgets: p.many(() => gadget) },
  positional: ['gadgets'],
  plan: async (_context, { gadgets: { items } }) => ({
    summary: message('gadget:scrap', { count: items.length }),
    count: items.length,
    changes: [],
    reversible: false,
    confirm: String(items.length),
  }),
  run: async (_context, { gadgets }) => {
    runLog.push({ id: 'gadget.scrap', args: ids(gadgets.items) });
    return {};
  },
});

/** An editor that starts with the gadgets' current values. */
export const describe = command({
  id: 'gadget.describe',
  on: () => gadget as unknown as AnyEntity,
  effect: 'write',
  params: {
    gadgets: p.many(() => gadget),
    name: p.text(),
    color: p.text({ check: (value) => (value === 'plaid' ? message('gadget:noPlaid') : undefined) }),
  },
  positional: ['gadgets'],
  initial: async (_context, { gadgets }) =>
    gadgets?.items.length === 1
      ? { values: { name: gadgets.items[0]?.name, color: 'red' } }
      : { values: { color: 'red' }, various: ['name'] },
  plan: async (_context, { gadgets: { items } }) => ({
    summary: message('gadget:describe', { count: items.length }),
    count: items.length,
    changes: [],
    reversible: true,
  }),
  run: async (_context, { gadgets: _items, ...args }) => {
    runLog.push({
      id: 'gadget.describe',
      args: Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)),
    });
    return {};
  },
});

/** Creates an item. Has one required param and several optional params. */
export const build = command({
  id: 'gadget.build',
  effect: 'write',
  plan: simplePlan,
  keys: ['c g'],
  params: {
    name: required(
      p.text({
        placeholder: 'North pump',
        check: (value) => (value === 'plaid' ? message('gadget:noPlaid') : undefined),
      }),
    ),
    events: p.choices(['MESSAGE_RECEIVED', 'ALARM_TRIGGERED']),
    parent: p.refOrNew(() => gadget),
  },
  positional: ['name'],
  run: async (_context, { name, events }) => {
    runLog.push({ id: 'gadget.build', args: { name, events } });
    return {};
  },
});

/** Has a required list, on its own or next to a flag that replaces it. */
export const label = command({
  id: 'gadget.label',
  on: () => gadget as unknown as AnyEntity,
  effect: 'write',
  plan: simplePlan,
  params: { gadgets: p.many(() => gadget), labels: required(p.words()) },
  positional: ['gadgets', 'labels'],
  run: async (_context, { labels }) => {
    runLog.push({ id: 'gadget.label', args: labels });
    return {};
  },
});

export const invite = command({
  id: 'gadget.invite',
  effect: 'write',
  plan: simplePlan,
  params: {
    roles: requiredUnless('withoutRoles', message('gadget:noRoles'), p.words()),
    withoutRoles: p.flag(),
  },
  positional: ['roles'],
  run: async (_context, { roles }) => {
    runLog.push({ id: 'gadget.invite', args: roles });
    return {};
  },
});

export const paint = command({
  id: 'gadget.paint',
  on: () => gadget as unknown as AnyEntity,
  effect: 'write',
  plan: simplePlan,
  keys: ['p'],
  blockedReason: () => message('gadget:noPaint'),
  run: async () => ({}),
});

export const beep = command({
  id: 'gadget.beep',
  effect: 'read',
  keys: ['b e'],
  run: async () => {
    runLog.push({ id: 'gadget.beep', args: {} });
    return {};
  },
});

/** Asks for a period. */
const inspect = command({
  id: 'gadget.inspect',
  effect: 'navigate',
  unlisted: true,
  params: { during: required(p.range()) },
  positional: ['during'],
  run: async () => ({}),
});

const nouns = {
  gadget: {
    entity: gadget,
    commands: [mark, scrap, describe, build, label, inspect, invite, paint, beep, openCommand(gadget)],
  },
  app: { commands: [submitForm] },
};

export const registry: Registry = createRegistry(Object.values(nouns));

/** Stands in for `src/registry/loaders.ts`. */
export const loaders = loadersFor(nouns);
