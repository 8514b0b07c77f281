import { message, type Message } from '#commands/text/message.ts';
import { reduceName } from '#commands/text/reduce-name.ts';

import { definitionOf, type ParserItem } from './item.ts';

/** Returns notes about a new definition: the fields that results gain and lose, and the declared fields among them. */
export async function definitionNotes(item: ParserItem, definition: string): Promise<readonly Message[]> {
  const before = definitionOf(item);
  if (before === undefined) return [];
  const { fieldChanges, parseOutline } = await import('./outline.ts');
  const { added, removed } = fieldChanges(before, definition);
  const results = parseOutline(definition).fields;
  return [
    ...(added.length > 0 ? [message('parser:plan.fieldsAdded', { fields: added.join(', ') })] : []),
    ...(removed.length > 0 ? [message('parser:plan.fieldsRemoved', { fields: removed.join(', ') })] : []),
    ...(results.length > 0 ? lostFields(item, removed, results) : []),
  ];
}

/** Returns a remark about declared fields that results lose, given the field names before and after. */
export function lostFields(item: ParserItem, before: readonly string[], after: readonly string[]): readonly Message[] {
  const [old, current] = [before, after].map((names) => new Set(names.map(reduceName)));
  // The first step of a declared path: `sensors` in `sensors[0].level`.
  const fieldsToRemove = item.parser.dataFields.filter(({ field }) => {
    const root = reduceName(/^\$?\.?([\w-]+)/.exec(field)?.[1] ?? '');
    return old!.has(root) && !current!.has(root);
  });
  const names = fieldsToRemove.map(({ displayName, field }) => displayName || field).join(', ');
  return names === '' ? [] : [message('parser:plan.declaredLost', { count: fieldsToRemove.length, fields: names })];
}
