import type { Sealer } from '#server/base/secrets.ts';

/**
 * Secure notes hold gate codes and the like: encrypted in the database, decrypted for those who may read them. An empty
 * note stays ''.
 */
export const sealNotes = (secrets: Sealer, notes: string): string => (notes === '' ? '' : secrets.seal(notes));

/** @throws UnsealError */
export const openNotes = (secrets: Sealer, stored: string): string => (stored === '' ? '' : secrets.open(stored));
