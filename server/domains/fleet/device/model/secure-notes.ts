import type { Sealer } from '#server/base/secrets.ts';

/**
 * Secure notes hold secrets such as gate codes. The database stores them encrypted, except that an empty text stays
 * empty.
 */
export const sealNotes = (secrets: Sealer, notes: string): string => (notes === '' ? '' : secrets.seal(notes));

/** @throws UnsealError */
export const openNotes = (secrets: Sealer, stored: string): string => (stored === '' ? '' : secrets.open(stored));
