import type { Message } from '#commands/text/message.ts';

import { i18n, translate, useSay } from '#src/i18n/i18n.ts';
import en from '#src/locales/en/login.json';

// The texts of these screens come with them: whoever is signed in already does without.
i18n.addResourceBundle('en', 'login', en);

type Values = Message['values'];

/** A text of `locales/en/login.json` as data. */
export function pageMessage(key: string, values?: Values): Message {
  return values ? { key: `login:${key}`, values } : { key: `login:${key}` };
}

/** The texts of the sign-in screens by their key in `locales/<language>/login.json`. */
export function useText(): (key: string, values?: Values) => string {
  useSay();
  return text;
}

function text(key: string, values?: Values): string {
  return translate(pageMessage(key, values));
}
