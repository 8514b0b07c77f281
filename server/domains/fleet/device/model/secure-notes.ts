import type { Sealer } from '#server/base/secrets.ts';

/** Encrypts secure notes, which hold secrets such as gate codes, for storage. Empty notes are stored as is. */
export const sealNotes = (sealer: Sealer, notes: string): string => (notes === '' ? '' : sealer.seal(notes));

/**
 * Decrypts stored secure notes.
 *
 * @throws UnsealError
 */
export const unsealNotes = (sealer: Sealer, stored: string): string => (stored === '' ? '' : sealer.open(stored));
