import { STATE_WORDS, type StateWord } from '#commands/model/entity.ts';
import { inQuotes } from '#commands/text/quotes.ts';

// Values and words in filter syntax. Printing a filter needs these rules, but not the tokenizer.

/** Returns a term's value in filter syntax. Quotes it only if the parser would otherwise misread it. */
export function quoteValue(text: string): string {
  return text === '' || /^['‘“„<>]|[\s",*()]|\.\.|^\.|\.$/.test(text) ? inQuotes(text) : text;
}

/** Returns a pattern in filter syntax, with its stars outside the quotes, as in `"North f"*`. */
export function quotePattern(parts: readonly string[]): string {
  return parts.map((part) => (/^['‘“„<>]|[\s",*()]|\.\./.test(part) ? inQuotes(part) : part)).join('*');
}

/** Matches the direction of a sort in other query languages. In quotes, it is a search word. */
export const SORT_DIRECTION = /^(asc|desc)(?:ending)?$/i;

/** Returns the word if it stands for an item's state. In quotes, it is a search word. */
export function findStateWord(text: string): StateWord | undefined {
  return STATE_WORDS.find((word) => word === text.toLowerCase());
}

/** Matches a word that is an operator in other query languages. In quotes, it is a search word. */
export const OPERATOR_WORD = /^(?:and|or|not|ago|&&?|\|\|?)$/i;

/**
 * Returns a bare word in filter syntax. Quotes words that have a meaning in a command line, such as `@selection`, or in
 * other query languages: stars, parentheses, `or`, the time after a date, and lists of ids.
 */
export function quoteWord(text: string): string {
  const isAmbiguous =
    text === '' ||
    /[\s"*()]|^[-@!<>=:,'‘“„]|^[a-z][a-z0-9_-]*[!:<>=~]|^\d\d?:\d\d|,$|^[\da-f]+([,-][\da-f]+)+$/i.test(text) ||
    OPERATOR_WORD.test(text) ||
    findStateWord(text) !== undefined ||
    SORT_DIRECTION.test(text);
  return isAmbiguous ? inQuotes(text) : text;
}
