import type { DetailField } from '#commands/model/column.ts';
import type { Command } from '#commands/model/command.ts';

/**
 * Returns the params for editing a detail in place: the detail's `fields`, or else the param with the detail's id.
 * Otherwise, returns all params, because the command then edits nothing else. Never includes the target.
 */
export function editedParams(
  command: Command,
  { id, fields }: Pick<DetailField<never>, 'id' | 'fields'>,
): readonly string[] {
  if (fields) return fields;
  const names = Object.keys(command.params).filter((name) => command.params[name]?.kind !== 'many');
  return names.includes(id) ? [id] : names;
}
