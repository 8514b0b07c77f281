/**
 * Text for the user, as a locale key and the values to interpolate. Commands never contain sentences. The console and
 * the CLI translate messages (`commands/locales/i18n.ts`), so even a result on the screen can change its language.
 */
export interface Message {
  readonly key: string;
  /** A value that is itself a message, such as a field name or a heading, is translated first. */
  readonly values?: Readonly<Record<string, string | number | Message>>;
}

/** Builds a {@link Message}. `key` has the form `noun:path.in.file` and refers to the noun's `en.json`. */
export function message(key: string, values?: Message['values']): Message {
  return values ? { key, values } : { key };
}

/** Joins messages or names with commas. Returns undefined if there are none. */
export function listMessage<Part extends string | Message>(parts: readonly Part[]): Part | Message | undefined {
  const [first, ...others] = parts;
  if (first === undefined) return undefined;
  return others.reduce<Part | Message>((before, next) => message('common:list', { before, next }), first);
}

/**
 * Joins the first few messages or names with commas and counts the others, as in “Open device, Edit device, and 14
 * more”. Returns undefined if there are none.
 */
export function shortList<Part extends string | Message>(
  parts: readonly Part[],
  maxCount: number,
): Part | Message | undefined {
  const names = listMessage(parts.slice(0, maxCount));
  const count = parts.length - maxCount;
  return names === undefined || count <= 0 ? names : message('common:listMore', { names, count });
}

/** Joins messages or names as in “A and B” or “A, B, and C”. Returns undefined if there are none. */
export function listWithAnd<Part extends string | Message>(parts: readonly Part[]): Part | Message | undefined {
  const last = parts.at(-1);
  const before = listMessage(parts.slice(0, -1));
  if (last === undefined || before === undefined) return last;
  return message(parts.length > 2 ? 'common:listAnd' : 'common:and', { before, next: last });
}

/** Translates a message into the reader's language. Provided by the host. */
export type Translate = (message: Message) => string;
