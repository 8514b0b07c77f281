import type { Resource } from 'i18next';
import { useAtomValue } from 'jotai';
import { useEffect, useMemo, useState } from 'react';
import { initReactI18next, setDefaults, useTranslation } from 'react-i18next';

import failures from '#commands/locales/en/failures.json';
import {
  createTranslator,
  FALLBACK,
  type Language,
  languageOf,
  nounOf,
  ownText,
  translateWith,
} from '#commands/locales/i18n.ts';
import { momentFormat } from '#commands/session/preferences.ts';
import type { Message } from '#commands/text/message.ts';
import { momentFormatter, type WriteMoment } from '#commands/text/moment.ts';
import en from '#src/locales/en/console.json';
import nl from '#src/locales/nl/console.json';
import { settingsAtom } from '#src/state/settings.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

/**
 * Starts in the language from the settings, with the strings that sign-in needs: the console's own, except for forms of
 * commands, and error messages.
 */
export const i18n = await createTranslator(
  store.get(settingsAtom).language,
  { en: { console: en, core: failures }, nl: { console: nl } },
  { isolates: true },
);
initReactI18next.init(i18n);
// Rerender once strings have loaded.
setDefaults({ bindI18nStore: 'added' });

const chosenLanguage = (): Language => languageOf(store.get(settingsAtom).language);
store.sub(settingsAtom, () => {
  if (chosenLanguage() !== i18n.language) void followLanguage();
});

/**
 * Strings for each noun, for events, and for running commands, and the later shared strings, keyed by file path. A
 * screen waits for the strings of its own noun. The rest load after the first screen.
 */
const lazyStrings = import.meta.glob<Record<string, unknown>>(
  [
    '/commands/nouns/*/*/{en,nl}.json',
    '/commands/locales/en/{event,running}.json',
    '/{commands,src}/locales/en/later/*.json',
  ],
  { import: 'default' },
);
/** Returns the paths of the locale files of a language. */
function localePathsOf(language: Language): readonly string[] {
  return Object.keys(lazyStrings).filter(
    (path) => path.endsWith(`/${language}.json`) || path.includes(`/${language}/`),
  );
}

/** Adds the strings that every screen behind sign-in needs (`console-strings.ts`). */
export function addStrings(resources: Resource): void {
  for (const [language, namespaces] of Object.entries(resources)) {
    for (const [name, strings] of Object.entries(namespaces))
      i18n.addResourceBundle(language, name, strings, true, true);
  }
}

let isComplete = false;
let allLoading: Promise<void> | undefined;
// While strings are still loading, show nothing instead of a key.
i18n.options.parseMissingKeyHandler = (key) => (isComplete ? key : '');

async function addLocaleFiles(paths: readonly string[]): Promise<void> {
  const loadedFiles = await Promise.all(paths.map(async (path) => [path, await lazyStrings[path]?.()] as const));
  for (const [path, strings] of loadedFiles) {
    const noun = nounOf(path);
    const language = path.endsWith('/nl.json') ? 'nl' : FALLBACK;
    // These are more strings for a namespace that may already have loaded.
    if (!i18n.hasResourceBundle(language, noun) || path.includes('/later/'))
      i18n.addResourceBundle(language, noun, strings, true, true);
  }
}

/**
 * Changes to the chosen language. Loads its strings first if the previous language's were complete, and changes the
 * language even if they fail to load. If the user chooses another language meanwhile, changes to that one.
 */
async function followLanguage(): Promise<void> {
  try {
    if (isComplete) await addLocaleFiles(localePathsOf(chosenLanguage()));
  } finally {
    await i18n.changeLanguage(chosenLanguage());
  }
}

/** Loads the strings for one noun, for its screen. */
export async function loadStrings(noun: string): Promise<void> {
  if (!i18n.hasResourceBundle(FALLBACK, noun))
    await addLocaleFiles(localePathsOf(FALLBACK).filter((path) => nounOf(path) === noun));
}

async function addAllStrings(): Promise<void> {
  try {
    const [{ consoleStrings }] = await Promise.all([
      import('./console-strings.ts'),
      addLocaleFiles(localePathsOf(FALLBACK)),
    ]);
    // From now on, show missing keys. Adding these strings clears the cached translations.
    isComplete = true;
    addStrings(consoleStrings);
    await addLocaleFiles(localePathsOf(chosenLanguage()));
  } catch (error) {
    // The next caller retries.
    allLoading = undefined;
    throw error;
  }
}

/** Loads the strings of all nouns, for the parts that can show any noun, such as the palette and the panel. */
export function loadAllStrings(): Promise<void> {
  allLoading ??= addAllStrings();
  return allLoading;
}

/** Runs a task that may need any noun's strings once all have loaded, even if some failed to load. */
export function withStrings(task: () => void): void {
  if (isComplete) task();
  else void loadAllStrings().then(task, task);
}

/** Loads the strings of all nouns. Returns true once they have loaded, even if some failed. */
export function useAllStrings(): boolean {
  const [isReady, setReady] = useState(isComplete);
  useEffect(() => withStrings(() => setReady(true)), []);
  return isReady;
}

const translateMessage = translateWith(i18n);

/** Translations of messages without values, cached because the same messages are translated on every keystroke. */
const translationCache = new Map<string, string>();
const clearTranslations = (): void => translationCache.clear();
i18n.on('languageChanged', clearTranslations);
i18n.store.on('added', clearTranslations);
i18n.store.on('removed', clearTranslations);

/** Translates outside components, such as for toasts and the page title. */
export function translate(message: Message): string {
  if (message.values) return translateMessage(message);
  const cachedTranslation = translationCache.get(message.key);
  if (cachedTranslation !== undefined) return cachedTranslation;
  const text = translateMessage(message);
  translationCache.set(message.key, text);
  return text;
}

/** Returns a function that translates messages. Rerenders when the language changes. */
export function useTranslate(): (message: Message) => string {
  useTranslation();
  return translate;
}

/**
 * Translates a noun's key in one language, without falling back to English. Undefined if there is no translation.
 */
export function nounText(language: string, noun: string, key: string): string | undefined {
  return ownText(i18n, language, noun, key);
}

/** Formats a count in the language of the texts around it, which may differ from the browser's. */
export const formatCount = (count: number): string => count.toLocaleString(i18n.language);

/** Returns the current language, such as `en`. */
export function useLanguage(): string {
  return useTranslation().i18n.language;
}

type ReadText = (key: string, values?: Message['values']) => string;

const readerOf =
  (namespace: string): ReadText =>
  (key, values) =>
    translate(values ? { key: `${namespace}:${key}`, values } : { key: `${namespace}:${key}` });

/** Functions that look up strings. Their identity is stable, so memos can depend on them. */
const READERS = {
  console: readerOf('console'),
  running: readerOf('running'),
  help: readerOf('help'),
  chart: readerOf('chart'),
  parser: readerOf('parser'),
  timeline: readerOf('timeline'),
  onboarding: readerOf('onboarding'),
};

/**
 * Returns a function that looks up strings by key: the console's own, from `locales/<language>/console.json`, or those
 * of a namespace that loads later.
 */
export function useText(namespace: keyof typeof READERS = 'console'): ReadText {
  useTranslation();
  return READERS[namespace];
}

/**
 * Returns a function that formats timestamps (ms since the epoch) in the user's language, time zone, and format:
 * `20 Nov 2026, 11:13:27`, or a day as `20 Nov 2026`.
 */
export function useMoment(): WriteMoment {
  const preferences = useAtomValue(userSessionAtom)?.preferences;
  const format = momentFormat(preferences ?? {});
  const { language } = useTranslation().i18n;
  return useMemo(() => momentFormatter(format, language), [format, language]);
}
