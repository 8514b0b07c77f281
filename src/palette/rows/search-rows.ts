import type { Invocation } from '#commands/model/invocation.ts';
import type { Group, Row } from '#src/search/rows.ts';

import type { CommandRow } from './command-rows.ts';
import { PREFIXES } from './prefixes.ts';

/** A row of the palette's search, which starts a command or offers a prefix. */
export interface SearchRow extends Row {
  readonly invocation?: Invocation;
  readonly prefix?: string;
  /** True for a complete line, which runs unchanged. */
  readonly isLine?: true;
  /** The item that the row opens, for recording habits. */
  readonly item?: { readonly entity: string; readonly id: string };
}

type ReadText = (key: string) => string;

export function toSearchRow(row: CommandRow): SearchRow {
  return { ...row, invocation: { id: row.command.id, args: {} } };
}

export function toSearchGroup(group: Group<CommandRow>): Group<SearchRow> {
  return { ...group, rows: group.rows.map(toSearchRow) };
}

export function helpGroup(t: ReadText): Group<SearchRow> {
  const rows = PREFIXES.map(({ prefix, scope, entity }) => ({
    id: `prefix ${prefix}`,
    label: t(`palette.prefix.${entity ?? scope}`),
    keys: { text: prefix, attributes: { 'aria-description': prefix } },
    prefix,
  }));
  return { id: 'help', heading: t('palette.group.help'), rows };
}
