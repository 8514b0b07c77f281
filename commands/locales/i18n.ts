import { createInstance, type i18n, type Resource } from 'i18next';

import type { Message, Translate } from '#commands/text/message.ts';
import { withoutUnseen } from '#commands/text/visible.ts';

export const LANGUAGES = ['en', 'nl'] as const;
export type Language = (typeof LANGUAGES)[number];

/** English is the default and the fallback; Dutch has the names of screens only (spec 1). */
export const FALLBACK: Language = 'en';

/** The language that a browser or a terminal asks for (`nl-NL`, `nl_NL.UTF-8`), where we have it. */
export function languageOf(tag: string | undefined): Language {
  const wanted = (tag ?? '').slice(0, 2).toLowerCase();
  return LANGUAGES.find((language) => language === wanted) ?? FALLBACK;
}

/**
 * An i18next of its own, without React, that has the given texts by language and namespace; ready when it resolves.
 * `changeLanguage` switches it.
 */
export async function createTranslator(language: string, resources: Resource): Promise<i18n> {
  const instance = createInstance();
  await instance.init({
    lng: languageOf(language),
    fallbackLng: FALLBACK,
    supportedLngs: LANGUAGES,
    resources,
    defaultNS: 'core',
    // Whoever shows a text escapes its markup; React does.
    interpolation: { escape: withoutTricks },
    returnNull: false,
  });
  instance.services.formatter?.add('lowerFirst', (value: unknown, lng) => lowerFirst(String(value), lng));
  instance.services.formatter?.add('inWords', (value: unknown) => permissionsInWords(instance, String(value)));
  return instance;
}

/** A value that can neither turn the order of the sentence around it nor hide anything in it. */
function withoutTricks(value: string): string {
  if (/^[\n -~]*$/.test(value)) return value;
  return value
    .split('\n')
    .map((line) => withoutUnseen(line, '\ufffd'))
    .join('\n');
}

/** Permissions of a server's sentence as the console calls them: `MODEMS_UPDATE` is “Change devices: …”. */
function permissionsInWords(instance: i18n, sentence: string): string {
  return sentence.replace(/(?<=\bpermissions? )[A-Z][A-Z_]+\b/g, (name) => {
    const key = `role:permission.${name}`;
    return instance.exists(key) ? `“${instance.t(key)}”` : name;
  });
}

/** A heading within a sentence; an abbreviation (`URL`) stays as it is. */
function lowerFirst(text: string, language: string | undefined): string {
  if (/^\p{Lu}\p{Lu}/u.test(text)) return text;
  const [first = ''] = text;
  return first.toLocaleLowerCase(language) + text.slice(first.length);
}

/** Where an attribute of a noun is named, also on a page, or an argument of one of its commands. */
const PLACE =
  /^([a-z-]+):(columns|details|fields|filter|commands\.[a-z0-9-]+\.params|pages\.[a-z0-9-]+\.details)\.([\w-]+)$/;

/**
 * The key under which a text is found: an attribute has one label for every place (`webhook:labels.url`), unless the
 * place has a text of its own (`webhook:commands.create.params.url`). What the lists of all nouns share is in
 * `common:labels`.
 */
function found(instance: i18n, key: string): { readonly key: string; readonly inSentence?: true } {
  const [, noun, place, name] = PLACE.exec(key) ?? [];
  if (noun === undefined || instance.exists(key)) return { key };
  const label = [`${noun}:labels.${name}`, `common:labels.${name}`].find((value) => instance.exists(value));
  if (label === undefined) return { key };
  return place === 'fields' ? { key: label, inSentence: true } : { key: label };
}

/** Whether there is a text for a key, of one and of several. */
export function hasText(instance: i18n, key: string): boolean {
  const { key: at } = found(instance, key);
  return instance.exists(at, { count: 1 }) && instance.exists(at, { count: 2 });
}

/** Says a message in the language that the instance has now. Values that are messages are said first. */
export function translateWith(instance: i18n): Translate {
  const say = ({ key, values }: Message): string => {
    const written = Object.entries(values ?? {}).map(([name, value]) => [
      name,
      typeof value === 'object' ? say(value) : value,
    ]);
    const { key: at, inSentence } = found(instance, key);
    const text = instance.t(at, Object.fromEntries(written) as Record<string, string | number>);
    return inSentence ? lowerFirst(text, instance.language) : text;
  };
  return say;
}
