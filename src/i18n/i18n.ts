import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import { initReactI18next, setDefaults, useTranslation } from 'react-i18next';

import type { Message } from '#commands/text/message.ts';
import { momentWriter, type WriteMoment } from '#commands/text/moment.ts';
import { momentFormat } from '#commands/session/preferences.ts';
import { createTranslator, FALLBACK, languageOf, translateWith } from '#commands/locales/i18n.ts';
import { first } from '#commands/locales/first.ts';

import en from '#src/locales/en/console.json';
import nl from '#src/locales/nl/console.json';
import { actingAtom } from '#src/state/acting.ts';
import { settingsAtom } from '#src/state/settings.ts';
import { store } from '#src/state/store.ts';

/** The console's own texts and those that every screen says something of, in the language of the settings. */
export const i18n = await createTranslator(store.get(settingsAtom).language, first);
i18n.addResourceBundle('en', 'console', en);
i18n.addResourceBundle('nl', 'console', nl);
initReactI18next.init(i18n);
// What is shown is said again when texts have come.
setDefaults({ bindI18nStore: 'added' });

store.sub(settingsAtom, () => {
  const language = languageOf(store.get(settingsAtom).language);
  if (language !== i18n.language) void i18n.changeLanguage(language);
});

/**
 * The texts of each noun, by the path of their file. A screen waits for those of the noun that it shows; the others
 * come after the first one.
 */
const later = import.meta.glob<Record<string, unknown>>(
  ['/commands/nouns/*/*/en.json', '/commands/locales/en/event.json'],
  { import: 'default' },
);
/** `…/tag/en.json` and `…/event.json` have the texts of `tag` and `event`. */
const nounOf = (path: string): string => /([^/]+)(?:\/en)?\.json$/.exec(path)?.[1] ?? '';
let complete = false;
let all: Promise<void> | undefined;
// Nobody is to read the name of a text that is still on its way.
i18n.options.parseMissingKeyHandler = (key) => (complete ? key : '');

async function add(paths: readonly string[]): Promise<void> {
  const loaded = await Promise.all(paths.map(async (path) => [path, await later[path]?.()] as const));
  for (const [path, texts] of loaded) {
    const noun = nounOf(path);
    if (!i18n.hasResourceBundle(FALLBACK, noun)) i18n.addResourceBundle(FALLBACK, noun, texts);
  }
}

/** The texts of one noun, for the screen that shows it. */
export async function textsOf(noun: string): Promise<void> {
  if (!i18n.hasResourceBundle(FALLBACK, noun)) await add(Object.keys(later).filter((path) => nounOf(path) === noun));
}

/** The texts of every noun, for what may show any: the palette, the panel, the cheat sheet. */
export function allTexts(): Promise<void> {
  all ??= add(Object.keys(later)).then(() => {
    complete = true;
  });
  return all;
}

/**
 * Says something of any noun: at once where the texts are there, else as soon as they are. What cannot be loaded does
 * not keep it back.
 */
export function withTexts(task: () => void): void {
  if (complete) task();
  else void allTexts().then(task, task);
}

const inOrder = translateWith(i18n);

/** For what is not a component: toasts, the title. */
export function translate(message: Message): string {
  return inOrder(message);
}

/** Says messages in the current language, and again when it changes. */
export function useSay(): (message: Message) => string {
  useTranslation();
  return translate;
}

/** The language that the console speaks: `en`. */
export function useLanguage(): string {
  return useTranslation().i18n.language;
}

/** The console's own texts by their key in `locales/<language>/console.json`. */
export function useText(): (key: string, values?: Message['values']) => string {
  useTranslation();
  return text;
}

function text(key: string, values?: Message['values']): string {
  return translate(values ? { key: `console:${key}`, values } : { key: `console:${key}` });
}

/**
 * Writes moments (ms since the epoch) in the reader's language, time zone and format: `20 Nov 2026, 11:13:27`, and of
 * a day `20 Nov 2026`.
 */
export function useMoment(): WriteMoment {
  const preferences = useAtomValue(actingAtom)?.preferences;
  const format = momentFormat(preferences ?? {});
  const { language } = useTranslation().i18n;
  return useMemo(() => momentWriter(format, language), [format, language]);
}
