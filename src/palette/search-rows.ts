import type { Invocation } from '#commands/core/invocation';
import { parseLine, printLine } from '#commands/core/line';
import type { Translate } from '#commands/core/message';
import type { Registry } from '#commands/core/registry';

import type { CommandRow } from './command-rows.ts';
import { openerOf, type ItemRow } from './item-rows.ts';
import { PREFIXES } from './prefixes.ts';
import type { Group, Row } from './rows.ts';

/** A row of the search: it begins a command, or it is a prefix to type. */
export interface SearchRow extends Row {
  readonly invocation?: Invocation;
  readonly prefix?: string;
  /** The item that is gone to, for the habits. */
  readonly item?: { readonly entity: string; readonly id: string };
}

type Texts = (key: string) => string;

export function fromCommands(group: Group<CommandRow>): Group<SearchRow> {
  return { ...group, rows: group.rows.map((row) => ({ ...row, invocation: { id: row.command.id, args: {} } })) };
}

export function fromItems(group: Group<ItemRow>, registry: Registry): Group<SearchRow> {
  const rows = group.rows.flatMap(({ entity, item, ...row }) => {
    const opener = openerOf(entity, registry);
    if (!opener) return [];
    const id = entity.id(item);
    return [
      {
        ...row,
        invocation: { id: opener.command.id, args: { [opener.param]: id } },
        item: { entity: entity.name, id },
      },
    ];
  });
  return { ...group, rows };
}

/** A whole line: what it says, or where it goes wrong. Only words after a command make it one. */
export function lineGroup(line: string, registry: Registry, say: Translate, texts: Texts): Group<SearchRow> {
  const { command, args, words, problems } = parseLine(line, registry);
  if (!command || !words.some(({ role }) => role === 'value' || role === 'option')) return { id: 'line', rows: [] };
  const invocation = { id: command.id, args };
  const [problem] = problems;
  const row = problem
    ? { id: 'line', label: line, reason: say(problem.message), invocation }
    : { id: 'line', label: printLine(invocation, registry), invocation };
  return { id: 'line', heading: texts('palette.group.line'), rows: [row] };
}

export function helpGroup(texts: Texts): Group<SearchRow> {
  const rows = PREFIXES.map(({ prefix, only, entity }) => ({
    id: `prefix ${prefix}`,
    label: texts(`palette.prefix.${entity ?? only}`),
    keys: prefix,
    prefix,
  }));
  return { id: 'help', heading: texts('palette.group.help'), rows };
}
