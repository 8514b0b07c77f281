/** Returns a pattern for LIKE and ILIKE that finds the text anywhere, and matches its `%`, `_`, and `\` literally. */
export const substringPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const MAX_QUOTED_LENGTH = 100;

/** Shortens a value from a request, to quote it in an error message. */
export const shorten = (text: string): string =>
  text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
