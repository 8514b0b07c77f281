import type { Command } from '#commands/model/command.ts';
import type { Fact } from '#commands/model/column.ts';

/**
 * The params that are asked for in the place of a fact: those that it names, else the one that is called as it is, else
 * all of a command that is about nothing else. The items themselves are never among them.
 */
export function editedParams(of: Command, { id, fields }: Pick<Fact<never>, 'id' | 'fields'>): readonly string[] {
  if (fields) return fields;
  const names = Object.keys(of.params).filter((name) => of.params[name]?.kind !== 'many');
  return names.includes(id) ? [id] : names;
}
