import { listCommand, openCommand } from '#commands/kit/standard.ts';
import { command, type Command } from '#commands/model/command.ts';
import { entity, type AnyEntity, type Entity } from '#commands/model/entity.ts';
import { p, required } from '#commands/model/params.ts';
import { createRegistry, type Registry } from '#commands/registry/registry.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, gadgets, simplePlan, type Gadget } from '#commands/testkit/gadget.ts';
import { message, type Message } from '#commands/text/message.ts';

import type { CommandListing } from '../command-rows.ts';
import type { Source } from '../item-source.ts';
import type { SearchRow } from '../search-rows.ts';

// A small set of nouns for tests of the palette's rows: gadgets, and the crews that look after them.

export interface Crew {
  readonly id: string;
  readonly name: string;
  readonly town: string;
}

export const crews: readonly Crew[] = [
  { id: '12', name: 'Night shift', town: 'Delft' },
  { id: '13', name: 'Day shift', town: 'Ede' },
  { id: '14', name: '', town: 'Goor' },
];

/** Gadgets, with views and a filter key for their ids. */
export const tool: Entity<Gadget> = {
  ...(gadget as unknown as Entity<Gadget>),
  idKey: 'number',
  screen: { ...gadget.screen!, aliases: ['/machines'] },
  views: [
    { id: 'all', filter: '' },
    { id: 'broken', filter: 'state:ERROR' },
  ],
  filter: { ...gadget.filter, number: gadget.filter['firmware']! },
};

/** Crews, whose ids are plain numbers. They have no screen and no searchable list. */
export const crew: Entity<Crew> = entity<Crew, object>({
  name: 'crew',
  plural: 'crews',
  requires: 'VIEW_USERS',
  views: [{ id: 'tired', filter: 'state:ERROR' }],
  id: ({ id }) => id,
  label: ({ name }) => name,
  detail: ({ town }) => town,
  json: (item) => item,
  isId: (text) => /^#?\d+$/.test(text),
  toId: (text) => text.replace('#', ''),
  list: async () => ({ items: crews, total: crews.length }),
  byIds: async (_context, ids) => crews.filter(({ id }) => ids.includes(id)),
  find: async (_context, text) => crews.filter(({ name }) => name === text),
  search: async (_context, text, limit) =>
    crews
      .filter(({ id, name, town }) => `#${id} ${name} ${town}`.toLowerCase().includes(text.toLowerCase()))
      .slice(0, limit),
  emptySelection: () => ({}),
  filter: {},
  sorts: [],
  columns: [],
});

const onTools = {
  on: () => tool as unknown as AnyEntity,
  effect: 'write',
  plan: simplePlan,
  run: async () => ({}),
} as const;

const commands: readonly Command[] = [
  listCommand(tool),
  openCommand(tool),
  command({
    ...onTools,
    id: 'gadget.mark',
    params: { gadgets: p.many(() => tool), state: required(p.choice(['OK', 'IN_ERROR'])) },
    positional: ['gadgets', 'state'],
  }),
  command({ ...onTools, id: 'gadget.scrap', params: { gadgets: p.many(() => tool) }, positional: ['gadgets'] }),
  command({
    ...onTools,
    id: 'gadget.polish',
    params: { gadgets: p.many(() => tool) },
    positional: ['gadgets'],
    blockedReason: () => message('gadget:noWax'),
  }),
  command({
    ...onTools,
    id: 'gadget.borrow',
    params: { gadgets: p.many(() => tool), from: required(p.choice(['NORTH', 'SOUTH'])), until: required(p.time()) },
    positional: ['gadgets'],
  }),
  command({
    ...onTools,
    id: 'gadget.paint',
    needs: ['camera' as 'clipboard'],
    params: { gadgets: p.many(() => tool) },
  }),
  command({ id: 'gadget.beep', effect: 'read', run: async () => ({}) }),
  command({ id: 'gadget.blink', effect: 'navigate', unlisted: true, run: async () => ({}) }),
  command({
    id: 'gadget.tint',
    effect: 'write',
    plan: simplePlan,
    params: {
      near: p.choice(['RED', 'BLUE'], { label: (value) => message(`gadget:color.${value}`) }),
      far: p.choice(['RED', 'BLUE'], { check: (value) => (value === 'RED' ? message('gadget:noRed') : undefined) }),
    },
    run: async () => ({}),
  }),
  command({
    id: 'gadget.sound',
    effect: 'read',
    params: { tone: p.choice(['SHRILL']) },
    run: async () => ({}),
  }),
];
const crewCommands: readonly Command[] = [
  openCommand(crew),
  command({
    id: 'crew.assign',
    on: () => tool as unknown as AnyEntity,
    effect: 'write',
    plan: simplePlan,
    params: { gadgets: p.many(() => tool), crew: required(p.ref(() => crew)), deputy: p.ref(() => crew) },
    positional: ['gadgets'],
    run: async () => ({}),
  }),
];

export const createTools = (): Registry =>
  createRegistry([
    { entity: tool, commands },
    { entity: crew, commands: crewCommands },
  ]);

const strings: Readonly<Record<string, string>> = {
  'gadget:one': 'Gadget',
  'gadget:title': 'Gadgets',
  'gadget:views.broken': 'Out of order',
  'crew:one': 'Crew',
  'crew:views.tired': 'Weary',
  'gadget:color.RED': 'Crimson',
  'gadget:color.BLUE': 'Navy',
};

/** Translates a command's title to its verb, and a message that has no translation to its key and values. */
export function translate({ key, values }: Message): string {
  const verb = /^\w+:commands\.([\w-]+)\.title$/.exec(key)?.[1];
  if (verb !== undefined)
    return `${verb[0]?.toUpperCase()}${verb.slice(1)} ${values?.['count'] === 1 ? 'one' : 'several'}`;
  const valueStrings = Object.values(values ?? {}).map((value) =>
    typeof value === 'object' ? translate(value) : value,
  );
  return strings[key] ?? [key, ...valueStrings].join(' ');
}

export const context = testContext({
  host: { clipboard: {} as never },
  focus: { entity: 'gadget', active: 'AAAA BBBB', name: message('gadget:active') },
});

export function createListing(parts: Partial<CommandListing> = {}): CommandListing {
  return {
    registry: createTools(),
    context,
    language: 'en',
    translate,
    t: (key, values) => translate({ key, ...(values ? { values } : {}) }),
    keys: () => undefined,
    words: () => undefined,
    ...parts,
  };
}

/** Returns a source's rows for the items it loads, best first. */
export async function loadRows(source: Source, isCurrent = true): Promise<readonly SearchRow[]> {
  const results = source.rows(await source.load(context), isCurrent);
  return results.toSorted((a, b) => b.score - a.score).map(({ row }) => row);
}

export { gadgets };
