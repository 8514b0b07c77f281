import type { Suggestion } from '#commands/model/suggestion.ts';
import { message, type Message } from '#commands/text/message.ts';

import { matching } from './filter-keys.ts';

/**
 * The types with sorts of their own, and those an empty type becomes (contract: TagService). Other types need support.
 */
export const TAG_TYPES: readonly string[] = ['group', 'well', 'site', 'production_area'];

/** The display text of a type; a type created by support is shown as is. */
export function tagTypeText(type: string | undefined): string | Message | undefined {
  return type !== undefined && TAG_TYPES.includes(type) ? message(`tag:type.${type}`) : type;
}

/** The types that match the typed text, each with its display text. */
export function suggestTagTypes(types: readonly string[], typed: string): readonly Suggestion[] {
  return matching(types, typed.replaceAll('_', ' '), (type) => type.replaceAll('_', ' ')).map((type) => {
    const text = tagTypeText(type);
    return { value: type, label: type, ...(typeof text === 'object' ? { message: text } : {}) };
  });
}
