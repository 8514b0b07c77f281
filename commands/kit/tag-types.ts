import type { Suggestion } from '#commands/model/suggestion.ts';
import { message, type Message } from '#commands/text/message.ts';

import { findMatches } from './matching.ts';

/** The default tag types (contract: TagService). Only support staff can set other types. */
export const TAG_TYPES: readonly string[] = ['group', 'well', 'site', 'production_area'];

/** Returns the display text of a type. A custom type, created by support, is its own display text. */
export function tagTypeText(type: string | undefined): string | Message | undefined {
  return type !== undefined && TAG_TYPES.includes(type) ? message(`tag:type.${type}`) : type;
}

/** Suggests the types that match the typed text, each with its display text. */
export async function suggestTagTypes(types: readonly string[], input: string): Promise<readonly Suggestion[]> {
  const matches = await findMatches(types, input.replaceAll('_', ' '), (type) => type.replaceAll('_', ' '));
  return matches.map((type) => {
    const text = tagTypeText(type);
    return { value: type, label: type, ...(typeof text === 'object' ? { message: text } : {}) };
  });
}
