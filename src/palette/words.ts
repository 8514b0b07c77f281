import type { Command } from '#commands/core/command';

import en from '../../commands/locales/en/words.json';
import nl from '../../commands/locales/nl/words.json';

/** What else people call commands: by verb, by noun, and for one command. Each text is a list with commas. */
interface Words {
  readonly verbs: Readonly<Record<string, string>>;
  readonly nouns: Readonly<Record<string, string>>;
  readonly commands: Readonly<Record<string, string>>;
}

const languages: Readonly<Record<string, readonly Words[]>> = { en: [en], nl: [nl, en] };

/** Separates words that never stand at the start of a phrase: they find a command, but none of them is its name. */
const AMONG_OTHERS = '·';

/**
 * The other names of a command, a phrase a line. Titles are English in every language so far, so the English words count everywhere.
 */
export function synonymsOf(of: Command, language: string): string {
  const words = languages[language] ?? [en];
  const listed = (pick: (one: Words) => string | undefined): readonly string[] =>
    words.flatMap(
      (one) =>
        pick(one)
          ?.split(',')
          .map((phrase) => phrase.trim()) ?? [],
    );
  const [verb = ''] = of.verb.split('-');
  const verbs = listed(({ verbs: all }) => all[verb]);
  const nouns = listed(({ nouns: all }) => all[of.noun]);
  const own = listed(({ commands }) => commands[of.id]);
  // Going to a list is what the name of a noun means by itself.
  const names = of.verb === 'list' ? [...own, ...nouns] : own;
  const others = [...verbs, ...nouns].join(' ');
  return [...names, ...(others === '' ? [] : [`${AMONG_OTHERS} ${others}`])].join('\n');
}
