/** A pattern for LIKE and ILIKE that finds the text anywhere, taking its `%`, `_` and `\` literally. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const MAX_QUOTED = 100;

/** A value from a request, shortened for the sentence that refuses it. */
export const shortened = (text: string): string => (text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);
