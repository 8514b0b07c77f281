import { useAtomValue } from 'jotai';
import { useCallback } from 'react';
import { initReactI18next, useTranslation } from 'react-i18next';

import type { Message } from '#commands/core/message';
import { formatMoment } from '#commands/core/moment';
import { momentFormat } from '#commands/core/preferences';
import { createTranslator, languageOf, translateWith } from '#commands/i18n';

import en from './locales/en/console.json';
import nl from './locales/nl/console.json';
import { actingAtom } from './state/acting.ts';
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

/** Writes moments (ms since the epoch) in the reader's language, time zone and format, to the second: `20 Nov 2026, 11:13:27`. */
export function useMoment(): (at: number) => string {
  const preferences = useAtomValue(actingAtom)?.preferences;
  const format = momentFormat(preferences ?? {});
  const { language } = useTranslation().i18n;
  return useCallback((at) => formatMoment(at, format, language), [format, language]);
}
