import { createInstance, type i18n, type Resource } from 'i18next';

import type { Message, Translate } from '#commands/text/message.ts';
import { readsRightToLeft, replaceInvisible } from '#commands/text/visible.ts';

export const LANGUAGES = ['en', 'nl'] as const;
export type Language = (typeof LANGUAGES)[number];

/** English is the default and the fallback. Only the titles of screens are in Dutch (spec 1). */
export const FALLBACK: Language = 'en';

/**
 * Returns the supported language for a browser's or terminal's language tag (`nl-NL`, `nl_NL.UTF-8`), or the fallback.
 */
export function languageOf(tag: string | undefined): Language {
  const code = (tag ?? '').slice(0, 2).toLowerCase();
  return LANGUAGES.find((language) => language === code) ?? FALLBACK;
}

/**
 * Returns the noun that a locale file belongs to: `tag` for `…/tag/en.json` and `…/tag/screen.json`, `event` for
 * `…/event.json`.
 */
export function nounOf(path: string): string {
  return /([^/]+)(?:\/(?:en|nl|screen))?\.json$/.exec(path)?.[1] ?? '';
}

/**
 * Creates an i18next instance that does not depend on React. `resources` are the strings by language and namespace.
 * `changeLanguage` switches the language. With `isolates`, right-to-left names don't reorder the sentence around them.
 * Do not use `isolates` for a terminal, which would show the invisible characters that it adds.
 */
export async function createTranslator(
  language: string,
  resources: Resource,
  { isolates = false }: { readonly isolates?: boolean } = {},
): Promise<i18n> {
  const instance = createInstance();
  await instance.init({
    lng: languageOf(language),
    fallbackLng: FALLBACK,
    supportedLngs: LANGUAGES,
    resources,
    defaultNS: 'core',
    // The surface escapes markup, as React does by default.
    interpolation: { escape: isolates ? isolateNames : sanitizeValue },
    returnNull: false,
  });
  instance.services.formatter?.add('lowerFirst', (value: unknown, lng) => lowerFirst(String(value), lng));
  instance.services.formatter?.add('upperFirst', (value: unknown, lng) => upperFirst(String(value), lng));
  instance.services.formatter?.add('withArticle', (value: unknown) => withArticle(String(value)));
  instance.services.formatter?.add('inWords', (value: unknown) => labelPermissions(instance, String(value)));
  return instance;
}

/** Replaces characters that could reorder or hide parts of the surrounding sentence. */
function sanitizeValue(value: string): string {
  if (/^[\n -~]*$/.test(value)) return value;
  return value
    .split('\n')
    .map((line) => replaceInvisible(line, '\ufffd'))
    .join('\n');
}

const ISOLATED = /(\u2068[^\u2068\u2069\n]*\u2069)/;

/**
 * Like {@link sanitizeValue}, but also isolates a value with right-to-left letters. Keeps parts that are already
 * isolated because the value may be translated text.
 */
function isolateNames(value: string): string {
  const parts = value.split(ISOLATED);
  if (parts.length > 1)
    return parts.map((part, index) => (index % 2 === 1 ? isolate(part.slice(1, -1)) : sanitizeValue(part))).join('');
  return readsRightToLeft(value) ? value.split('\n').map(isolate).join('\n') : sanitizeValue(value);
}

const isolate = (text: string): string => `\u2068${sanitizeValue(text)}\u2069`;

/**
 * Replaces permission names in a server's sentence with their labels: `MODEMS_UPDATE` becomes “Change devices:
 * …”.
 */
function labelPermissions(instance: i18n, text: string): string {
  return text.replace(/(?<=\bpermissions? )[A-Z][A-Z_]+\b|\b[A-Z][A-Z_]+(?= permissions?\b)/g, (name) => {
    const key = `role:permission.${name}`;
    return instance.exists(key) ? `“${instance.t(key)}”` : name;
  });
}

/** Adds the English article: `a user`, `an organization`. Our nouns that start with u are pronounced like `you`. */
function withArticle(noun: string): string {
  return `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Lowercases a label for use within a sentence, unless it is an abbreviation such as `URL`. */
function lowerFirst(text: string, language: string | undefined): string {
  if (/^\p{Lu}\p{Lu}/u.test(text)) return text;
  const [first = ''] = text;
  return first.toLocaleLowerCase(language) + text.slice(first.length);
}

/** Capitalizes a noun or a field's name for use as a label. */
function upperFirst(text: string, language: string | undefined): string {
  const [first = ''] = text;
  return first.toLocaleUpperCase(language) + text.slice(first.length);
}

/** Keys that name an attribute of a noun, an attribute on a page, or an argument of a command. */
const LABEL_KEY =
  /^([a-z-]+):(columns|details|detailTabs(?:\.detail)?|sorts|fields|filter|commands\.[a-z0-9-]+\.params|pages\.[a-z0-9-]+\.(?:details|sections))\.([\w-]+)$/;

/** Returns the key for the label that all uses of an attribute share: `tag:labels.type` for `tag:columns.type`. */
export const labelKey = (key: string): string => key.replace(LABEL_KEY, '$1:labels.$3');

/**
 * Finds the key that has the translation. All uses of an attribute share one label (`webhook:labels.url`), unless a use
 * has its own label (`webhook:commands.create.params.url`). Labels shared by all nouns are in `common:labels`. An
 * attribute whose name is the noun or its plural needs no label.
 */
function resolveKey(
  instance: i18n,
  key: string,
): { readonly key: string; readonly changeCase?: typeof lowerFirst | typeof upperFirst } {
  const [, noun, context, name] = LABEL_KEY.exec(key) ?? [];
  if (noun === undefined || instance.exists(key)) return { key };
  const label = [labelKey(key), `common:labels.${name}`].find((value) => instance.exists(value));
  // The folder is named process-point, and its param processPoints.
  const nounName = kebabCase(name ?? '');
  const nounKey = nounName === noun ? `${noun}:one` : nounName === `${noun}s` ? `${noun}:many` : undefined;
  const textKey = label ?? nounKey;
  if (textKey === undefined) return { key };
  if (context === 'fields') return { key: textKey, changeCase: lowerFirst };
  return label === undefined ? { key: textKey, changeCase: upperFirst } : { key: textKey };
}

const kebabCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** True if a key has a translation, both singular and plural. */
export function hasText(instance: i18n, key: string): boolean {
  const { key: textKey } = resolveKey(instance, key);
  return instance.exists(textKey, { count: 1 }) && instance.exists(textKey, { count: 2 });
}

/** Returns the text for a key in one language, without the fallback. Undefined if there is none. */
export function ownText(instance: i18n, language: string, namespace: string, key: string): string | undefined {
  const text: unknown = instance.getResource(language, namespace, key);
  return typeof text === 'string' ? text : undefined;
}

/** Translates messages into the instance's current language, nested messages first. */
export function translateWith(instance: i18n): Translate {
  const translate = ({ key, values }: Message): string => {
    const strings = Object.entries(values ?? {}).map(([name, value]) => [
      name,
      typeof value === 'object' ? translate(value) : value,
    ]);
    const { key: textKey, changeCase } = resolveKey(instance, key);
    const text = instance.t(textKey, Object.fromEntries(strings) as Record<string, string | number>);
    return changeCase?.(text, instance.language) ?? text;
  };
  return translate;
}
