/** A pattern for LIKE and ILIKE that finds the text anywhere, taking its `%`, `_` and `\` literally. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
