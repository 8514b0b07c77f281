import type { Suggestion } from './suggestion.ts';
import { message, type Message } from './message.ts';

/** The types that have sorts of their own, and what an empty type becomes (contract: TagService). Others need support. */
export const TAG_TYPES: readonly string[] = ['group', 'well', 'site', 'production_area'];

/** A type in words; one that support made up is its own. */
export function tagTypeText(type: string | undefined): string | Message | undefined {
  return type !== undefined && TAG_TYPES.includes(type) ? message(`tag:type.${type}`) : type;
}

/** A type to choose, in words beside what is typed. */
export function tagTypeSuggestion(type: string): Suggestion {
  const said = tagTypeText(type);
  return { value: type, label: type, ...(typeof said === 'object' ? { said } : {}) };
}
