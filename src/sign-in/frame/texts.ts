import type { Message } from '#commands/text/message.ts';
import { i18n, translate, useTranslate } from '#src/i18n/i18n.ts';
import en from '#src/locales/en/login.json';

// The texts load with these screens, because users who are already signed in do not need them.
i18n.addResourceBundle('en', 'login', en);

type Values = Message['values'];

/** Returns a message from `locales/en/login.json`. */
export function pageMessage(key: string, values?: Values): Message {
  return values ? { key: `login:${key}`, values } : { key: `login:${key}` };
}

/** Returns the sign-in screens' texts by key, from `locales/<language>/login.json`. */
export function useText(): (key: string, values?: Values) => string {
  useTranslate();
  return text;
}

function text(key: string, values?: Values): string {
  return translate(pageMessage(key, values));
}
