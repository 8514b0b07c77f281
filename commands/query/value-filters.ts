import type { Context } from '#commands/model/context.ts';
import type { FilterKey } from '#commands/model/filter.ts';
import { nearestNames } from '#commands/text/near.ts';

import { type ParsedFilter, parseFilter } from './parse.ts';
import { quoteValue } from './quote.ts';
import { matchOption } from './values.ts';

/** The maximum number of suggested filters. */
const MAX_SUGGESTIONS = 3;
/** The minimum length of a word to correct. Shorter words resemble too many values. */
const MIN_WORD_LENGTH = 3;

/**
 * Suggests filters for a search without matches. Each replaces a search word with a term for the value that the word
 * names or misspells, such as `health:ERROR` for `error`. Exact matches come first. Does not replace quoted words.
 */
export async function suggestValueFilters(
  { entity, text, tokens }: ParsedFilter,
  context: Context,
): Promise<readonly string[]> {
  const words = tokens.flatMap(({ token, part }) =>
    'word' in part && !token.pieces[0]?.isQuoted ? [{ token, word: part.word }] : [],
  );
  if (words.length === 0) return [];
  const keys = await Promise.all(
    Object.entries(entity.filter).map(async ([name, key]) => ({ name, values: await listValues(key, context) })),
  );
  const suggestions = words.flatMap(({ token, word }) =>
    keys.flatMap(({ name, values }) => {
      const exactOption = matchOption(word, values);
      const value = exactOption ?? (word.length < MIN_WORD_LENGTH ? undefined : nearestNames(word, values, 1)[0]);
      if (value === undefined) return [];
      const suggestion = `${text.slice(0, token.from)}${name}:${quoteValue(value)}${text.slice(token.to)}`;
      return parseFilter(suggestion, entity).problems.length > 0
        ? []
        : [{ suggestion, isExact: exactOption !== undefined }];
    }),
  );
  const sortedSuggestions = suggestions.toSorted((a, b) => Number(b.isExact) - Number(a.isExact));
  return [...new Set(sortedSuggestions.map(({ suggestion }) => suggestion))].slice(0, MAX_SUGGESTIONS);
}

async function listValues(key: FilterKey<unknown>, context: Context): Promise<readonly string[]> {
  return key.options ?? (await key.allValues?.(context)) ?? [];
}
