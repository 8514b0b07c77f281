import { initReactI18next, useTranslation } from 'react-i18next';

import type { Message } from '#commands/core/message';
import { createTranslator, languageOf, translateWith } from '#commands/i18n';

import en from './locales/en/console.json';
import nl from './locales/nl/console.json';
import { settingsAtom } from './state/settings.ts';
import { store } from './state/store.ts';

/** The registry's texts and the console's own, in the language of the settings. */
export const i18n = await createTranslator(store.get(settingsAtom).language);
i18n.addResourceBundle('en', 'console', en);
i18n.addResourceBundle('nl', 'console', nl);
initReactI18next.init(i18n);

store.sub(settingsAtom, () => {
  const language = languageOf(store.get(settingsAtom).language);
  if (language !== i18n.language) void i18n.changeLanguage(language);
});

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

/** The console's own texts by their key in `locales/<language>/console.json`. */
export function useText(): (key: string, values?: Message['values']) => string {
  useTranslation();
  return text;
}

function text(key: string, values?: Message['values']): string {
  return translate(values ? { key: `console:${key}`, values } : { key: `console:${key}` });
}

const MOMENT: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
};

/** A moment (ms since the epoch) in the reader's language and time zone, to the second: `20 Nov 2026, 11:13:27`. */
export function formatMoment(at: number): string {
  return new Intl.DateTimeFormat(i18n.language === 'en' ? 'en-GB' : i18n.language, MOMENT).format(at);
}
