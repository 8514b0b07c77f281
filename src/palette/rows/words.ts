import type { Command } from '#commands/model/command.ts';

import en from '#commands/locales/en/words.json';
import nl from '#commands/locales/nl/words.json';

/**
 * What else people call commands: by verb, by noun, and for one command; and views. Each text is a list with commas.
 */
interface Words {
  readonly verbs: Readonly<Record<string, string>>;
  readonly nouns: Readonly<Record<string, string>>;
  readonly commands: Readonly<Record<string, string>>;
  /** By entity and view: `device.error`. */
  readonly views: Readonly<Record<string, string>>;
}

const languages: Readonly<Record<string, readonly Words[]>> = { en: [en], nl: [nl, en] };

/** Separates words that never stand at the start of a phrase: they find a command, but none of them is its name. */
const AMONG_OTHERS = '·';

function phrasesOf(language: string, pick: (words: Words) => string | undefined): readonly string[] {
  return (languages[language] ?? [en]).flatMap(
    (words) =>
      pick(words)
        ?.split(',')
        .map((phrase) => phrase.trim()) ?? [],
  );
}

/** The other names of a view, a phrase a line. */
export function viewSynonyms(entity: string, view: string, language: string): string {
  return phrasesOf(language, ({ views }) => views[`${entity}.${view}`]).join('\n');
}

/**
 * The other names of a command, a phrase a line. Titles are English in every language so far, so the English words
 * count everywhere.
 */
export function synonymsOf(command: Command, language: string): string {
  const listed = (pick: (words: Words) => string | undefined): readonly string[] => phrasesOf(language, pick);
  const [verb = ''] = command.verb.split('-');
  const verbs = listed(({ verbs: all }) => all[verb]);
  const nouns = listed(({ nouns: all }) => all[command.noun]);
  const own = listed(({ commands }) => commands[command.id]);
  // Going to a list is what the name of a noun means by itself.
  const names = command.verb === 'list' ? [...own, ...nouns] : own;
  const others = [...verbs, ...nouns].join(' ');
  return [...names, ...(others === '' ? [] : [`${AMONG_OTHERS} ${others}`])].join('\n');
}
