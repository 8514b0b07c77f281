/**
 * The rules for storing and showing values that can be credentials:
 *
 * - A webhook's signing secret is encrypted, and blank in responses. Events show only that it changed.
 * - The value of a custom header (publishing/targets/webhook/headers.ts) is encrypted, and blank in responses, the
 *   history, and events.
 * - A webhook's URL, with its path and query (publishing/targets/webhook/masked-url.ts), is in plaintext, because it
 *   is searched. Users who manage publishers can see it. Events, emails, and other receivers get only the host.
 * - A URL with a user name or password is rejected.
 * - A receiver's response can quote the call (publishing/targets/webhook/redact.ts). It is stored without the call's
 *   credentials, and shown only in the history.
 * - The signature header's name and descriptions aren't secret, so they are in plaintext everywhere.
 * - An API token or a token for creating an organization is hashed, and shown only once.
 * - The body of an email can contain a link or a token. It is encrypted and deleted after sending, and the demo's
 *   outbox shows it.
 * - A password exists only at the identity provider, and is never shown.
 * - A device's secure notes (domains/fleet/device/model/secure-notes.ts) are encrypted, and shown to users with
 *   MODEMS_SECURE_NOTES. Events show only that they changed.
 * - The value of an encrypted field (domains/data/parser/model/sealed-value.ts) is encrypted, including in the result
 *   of the message and in simulations, and shown to users who may read these. Events and metadata omit it. The bytes of
 *   the message are in plaintext, because they aren't a field; decoding them requires the parser's definition.
 * - The reason for a support session is in plaintext because others must be able to read it. Only the audit log shows
 *   it.
 *
 * The log contains names, ids, and queries without their parameters (describe-error.ts).
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Encrypts secrets that the server must read back, such as a webhook's signing secret. The database and its dumps don't
 * reveal them.
 */
export interface Sealer {
  /** Encrypts text so that only the same key can decrypt it. Sealing the same text twice gives different results. */
  seal(secret: string): string;
  /**
   * Decrypts sealed text.
   *
   * @throws UnsealError if the text was sealed with a different key or has been changed since
   */
  open(sealed: string): string;
}

/**
 * Thrown if a sealed value can't be decrypted, almost always because the server is running with a different key than
 * before.
 */
export class UnsealError extends Error {
  override name = 'UnsealError';
}

/**
 * Decrypts text. Returns undefined if the text was not sealed with this key, for example because it was stored before
 * sealing began.
 */
export function openIfSealed(secrets: Sealer, value: string): string | undefined {
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
/** Identifies the format of a sealed value, so another format can be added later. */
const VERSION = 'v1.';

/**
 * Creates a sealer.
 *
 * @param key 32 secret bytes. Losing the key means losing everything it sealed
 */
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
        throw new UnsealError("The stored secret isn't a sealed value.");
      }
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch (cause) {
        throw new UnsealError('The stored secret was sealed with a different key.', { cause });
      }
    },
  };
}
