/**
 * What people enter that may be a credential, and how each is kept:
 *
 * | entered | stored | answered | events, mails and other receivers |
 * |---|---|---|---|
 * | signing secret of a webhook | sealed | blank | that it changed |
 * | value of a custom header (delivery/headers.ts) | sealed | blank, in the history too | blank |
 * | URL of a webhook (delivery/masked-url.ts): path and query | clear, as it is searched | to whoever manages
 * publishers | host alone | | user name or password in a URL | refused | | | | answer of a receiver, which may quote
 * the call (delivery/redact.ts) | without the call's credentials | in the history | not at all | | name of the
 * signature header, descriptions | clear: names, not values | as they are | as they are | | API token, token to create
 * an organization | hashed | once | never | | body of a mail, which may hold a link or a token | sealed, gone once it
 * is sent | in the demo's outbox | | | password | at the identity provider only | never | never | | secure notes of a
 * device (services/shared/secure-notes.ts) | sealed | with MODEMS_SECURE_NOTES | that they changed | | reason of a
 * support session | clear: it is for others to read | in the audit | never |
 *
 * The log gets names and ids, and of a query its text without parameters (loggable.ts).
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Keeps secrets that must be read back (a webhook's signing secret) unreadable in the database and its dumps. */
export interface Sealer {
  /** @returns text that only the same key opens; sealing twice gives two different texts */
  seal(secret: string): string;
  /** @throws UnsealError when the text was sealed with another key, or changed since */
  open(sealed: string): string;
}

/**
 * A sealed value cannot be read: almost always because the server runs with another key than the one it sealed with.
 */
export class UnsealError extends Error {
  override name = 'UnsealError';
}

/** The value, or undefined for what this key did not seal: a value from before values were sealed, for example. */
export function openedValue(secrets: Sealer, value: string): string | undefined {
  try {
    return secrets.open(value);
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
}

export const SEALING_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Tells which way a value was sealed, so that another way can be added later. */
const VERSION = 'v1.';

/** @param key 32 secret bytes; everything sealed with it is lost when it is */
export function createSealer(key: Buffer): Sealer {
  if (key.length !== SEALING_KEY_BYTES)
    throw new Error(`A sealing key is ${SEALING_KEY_BYTES} bytes, not ${key.length}.`);
  return {
    seal(secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
      if (!sealed.startsWith(VERSION) || bytes.length < NONCE_BYTES + TAG_BYTES) {
        throw new UnsealError('The stored secret is not a sealed value.');
      }
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch (cause) {
        throw new UnsealError('The stored secret was sealed with another key.', { cause });
      }
    },
  };
}
