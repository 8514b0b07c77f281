/** A pattern for LIKE and ILIKE that finds the text anywhere, taking its `%`, `_` and `\` literally. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const mostQuoted = 100;

/** What a request holds, as a sentence that refuses it may repeat it. */
export const shortened = (text: string): string => (text.length > mostQuoted ? `${text.slice(0, mostQuoted)}…` : text);
