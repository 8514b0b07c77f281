import type { Command } from '#commands/model/command.ts';
import type { DetailField } from '#commands/model/column.ts';

/**
 * The params that are edited in place of a detail: those that it names, else the one of the same name, else all of a
 * command that is about nothing else. The items themselves are never among them.
 */
export function editedParams(
  command: Command,
  { id, fields }: Pick<DetailField<never>, 'id' | 'fields'>,
): readonly string[] {
  if (fields) return fields;
  const names = Object.keys(command.params).filter((name) => command.params[name]?.kind !== 'many');
  return names.includes(id) ? [id] : names;
}
