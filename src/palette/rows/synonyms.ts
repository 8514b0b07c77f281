import en from '#commands/locales/en/verbs.json';
import { FALLBACK, languageOf } from '#commands/locales/i18n.ts';
import nl from '#commands/locales/nl/verbs.json';
import type { Command } from '#commands/model/command.ts';

/**
 * Looks up a comma-separated list of synonyms in a noun's strings for one language. The key is `words` for the noun
 * itself, `commands.<verb>.words` for a command, or `viewWords.<view>` for a view.
 */
export type NounWords = (language: string, noun: string, key: string) => string | undefined;

/** Synonyms of verbs, keyed by language. */
const verbs: Readonly<Record<string, Readonly<Record<string, string>>>> = { en, nl };

/** Marks a phrase of words that aren't the command's name, so they don't match as its first word. */
const OTHER_WORDS_MARK = '·';

/** Returns phrases in the given language and in English because titles are English in every language so far. */
function phrasesOf(language: string, pick: (language: string) => string | undefined): readonly string[] {
  return [...new Set([languageOf(language), FALLBACK])].flatMap(
    (candidate) =>
      pick(candidate)
        ?.split(',')
        .map((phrase) => phrase.trim()) ?? [],
  );
}

/** Returns the synonyms of a view, one phrase per line. */
export function viewSynonyms(entity: string, view: string, language: string, words: NounWords): string {
  return phrasesOf(language, (lng) => words(lng, entity, `viewWords.${view}`)).join('\n');
}

/** Returns the synonyms of a command, one phrase per line. */
export function synonymsOf({ noun, verb }: Command, language: string, words: NounWords): string {
  const phrases = (pick: (language: string) => string | undefined): readonly string[] => phrasesOf(language, pick);
  const [firstVerb = ''] = verb.split('-');
  const verbPhrases = phrases((lng) => verbs[lng]?.[firstVerb]);
  const nounPhrases = phrases((lng) => words(lng, noun, 'words'));
  const commandPhrases = phrases((lng) => words(lng, noun, `commands.${verb}.words`));
  // The name of a noun alone means its list.
  const names = verb === 'list' ? [...commandPhrases, ...nounPhrases] : commandPhrases;
  const otherWords = [...verbPhrases, ...nounPhrases].join(' ');
  return [...names, ...(otherWords === '' ? [] : [`${OTHER_WORDS_MARK} ${otherWords}`])].join('\n');
}
