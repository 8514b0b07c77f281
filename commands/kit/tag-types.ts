import { matching } from './filter-keys.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { message, type Message } from '#commands/text/message.ts';

/**
 * The types that have sorts of their own, and what an empty type becomes (contract: TagService). Others need support.
 */
export const TAG_TYPES: readonly string[] = ['group', 'well', 'site', 'production_area'];

/** A type in words; one that support made up is its own. */
export function tagTypeText(type: string | undefined): string | Message | undefined {
  return type !== undefined && TAG_TYPES.includes(type) ? message(`tag:type.${type}`) : type;
}

/** The types that fit what is typed, each in words beside it. */
export function suggestTagTypes(types: readonly string[], typed: string): readonly Suggestion[] {
  return matching(types, typed.replaceAll('_', ' '), (type) => type.replaceAll('_', ' ')).map((type) => {
    const text = tagTypeText(type);
    return { value: type, label: type, ...(typeof text === 'object' ? { message: text } : {}) };
  });
}
