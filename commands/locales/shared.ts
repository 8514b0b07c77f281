import common from './en/common.json' with { type: 'json' };
import core from './en/core.json' with { type: 'json' };
import failures from './en/failures.json' with { type: 'json' };
import type { Language } from './i18n.ts';

/** A noun's `screen.json`: the titles of its screens by language. Languages without titles fall back to English. */
export type ScreenTitles = Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>>;

/**
 * Returns the texts that every screen needs: `core` (general messages), `common` (shared by nouns), and `screen`
 * (screen titles, keyed by noun). The folder `en/later` has the rest of `core` and `common`: messages about filters
 * and changes, which no screen shows at first. Only screen titles are translated into Dutch. All other texts are in
 * English.
 */
export function sharedTexts(titles: readonly (readonly [noun: string, titles: ScreenTitles])[]) {
  const screenTextsOf = (language: Language) =>
    Object.fromEntries(titles.flatMap(([noun, { [language]: texts }]) => (texts ? [[noun, texts]] : [])));
  return {
    en: { common, core: { ...core, ...failures }, screen: screenTextsOf('en') },
    nl: { screen: screenTextsOf('nl') },
  };
}
