import common from './en/common.json' with { type: 'json' };
import core from './en/core.json' with { type: 'json' };
import failures from './en/failures.json' with { type: 'json' };
import type { Language } from './i18n.ts';

/** A noun's `screen.json`: the titles of its screens by language. Languages without titles fall back to English. */
export type ScreenTitles = Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>>;

/**
 * Returns the strings that every screen needs: `core` (general messages), `common` (shared by nouns), and `screen`
 * (screen titles, keyed by noun). The folder `en/later` has the rest of `core` and `common`: messages about filters and
 * changes, which no screen shows at first. Only screen titles are translated into Dutch. Everything else is in English.
 */
export function sharedStrings(titles: readonly (readonly [noun: string, titles: ScreenTitles])[]) {
  const screenStringsOf = (language: Language) =>
    Object.fromEntries(titles.flatMap(([noun, { [language]: strings }]) => (strings ? [[noun, strings]] : [])));
  return {
    en: { common, core: { ...core, ...failures }, screen: screenStringsOf('en') },
    nl: { screen: screenStringsOf('nl') },
  };
}
