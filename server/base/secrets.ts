/**
 * The rules for storing and showing values that users enter and that may be credentials:
 *
 * - Signing secret of a webhook: encrypted; blank in responses; events only say that it changed.
 * - Value of a custom header (publishing/targets/webhook/headers.ts): encrypted; blank in responses, the history and
 *   events.
 * - URL of a webhook, with path and query (publishing/targets/webhook/masked-url.ts): in plaintext, because it is
 *   searched; shown to those who manage publishers; events, emails and other receivers get only the host.
 * - User name or password in a URL: refused.
 * - Response of a receiver, which may quote the call (publishing/targets/webhook/redact.ts): stored without the call's
 *   credentials; shown in the history only.
 * - Name of the signature header, descriptions: in plaintext everywhere; they are not secret.
 * - API token, token to create an organization: hashed; shown once.
 * - Body of an email, which may hold a link or a token: encrypted, deleted once sent; shown in the demo's outbox.
 * - Password: only at the identity provider; never shown.
 * - Secure notes of a device (domains/fleet/device/model/secure-notes.ts): encrypted; shown with MODEMS_SECURE_NOTES;
 *   events only say that they changed.
 * - Reason for a support session: in plaintext, because it is meant for others to read; shown in the audit only.
 *
 * The log gets names and ids, and queries without their parameters (describe-error.ts).
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Encrypts secrets that the server must read back, such as a webhook's signing secret. The database and its dumps do
 * not reveal them.
 */
export interface Sealer {
  /** Encrypts text so that only the same key can decrypt it. Sealing the same text twice gives different results. */
  seal(secret: string): string;
  /**
   * Decrypts sealed text.
   *
   * @throws UnsealError if the text was sealed with another key or has been changed since
   */
  open(sealed: string): string;
}

/**
 * Thrown if a sealed value cannot be decrypted, almost always because the server runs with a different key than before.
 */
export class UnsealError extends Error {
  override name = 'UnsealError';
}

/** Decrypts a value; undefined if this key did not seal it, for example if it was stored before values were sealed. */
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
 * @param key 32 secret bytes; without it, everything sealed with it is lost
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
