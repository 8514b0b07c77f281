/** A pattern for LIKE and ILIKE that finds the text anywhere, taking its `%`, `_` and `\` literally. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const MAX_QUOTED = 100;

/** What a request holds, as a sentence that refuses it may repeat it. */
export const shortened = (text: string): string => (text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);
