/**
 * A text to be said, as data: a locale key and the values it interpolates. Commands never hold sentences; the console
 * and the CLI translate (see `commands/locales/i18n.ts`), so a language can change under a result that is already on
 * the screen.
 */
export interface Message {
  readonly key: string;
  /** A value that is a message itself is translated first: the name of a field, a list's heading. */
  readonly values?: Readonly<Record<string, string | number | Message>>;
}

/** Builds a {@link Message}; `key` is `noun:path.in.file` as in `en.json` beside the noun. */
export function message(key: string, values?: Message['values']): Message {
  return values ? { key, values } : { key };
}

/** Several messages or names as one, with commas; undefined for none. */
export function listed<Part extends string | Message>(parts: readonly Part[]): Part | Message | undefined {
  const [first, ...others] = parts;
  if (first === undefined) return undefined;
  return others.reduce<Part | Message>((before, next) => message('common:list', { before, next }), first);
}

/** Turns a message into text of the reader's language. Provided by the host. */
export type Translate = (message: Message) => string;
