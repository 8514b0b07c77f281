import { createHmac, timingSafeEqual } from 'node:crypto';

/** The default header for the signature (contract: WebhookService). */
export const DEFAULT_SIGNATURE_HEADER = 'X-Hub-Signature';

/**
 * Returns `sha256=` and the HMAC-SHA256 of the body in lowercase hex. The contract doesn't specify the format. This one
 * is from WebSub, which defines the header, so existing receivers understand it.
 */
export function signature(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Verifies a signature, in constant time. */
export function verifySignature(secret: string, body: Uint8Array, value: string): boolean {
  const expected = Buffer.from(signature(secret, body));
  const actual = Buffer.from(value.trim());
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
