import type { BytesOrHex } from '#proto/gen/hiber/base_pb.ts';

import { invalidArgument } from './errors.ts';

/** Reads hexadecimal digits, ignoring whitespace. Returns undefined for anything else. */
export function readHex(hex: string): Uint8Array | undefined {
  const digits = hex.replaceAll(/\s/g, '');
  return /^([0-9a-f]{2})*$/i.test(digits) ? Buffer.from(digits, 'hex') : undefined;
}

/** Reads base64 in any of its forms (RFC 4648), ignoring whitespace. Returns undefined for anything else. */
export function readBase64(text: string): Uint8Array | undefined {
  const base64 = text.replaceAll(/\s/g, '');
  const digits = base64.replace(/={1,2}$/, '');
  const isPadded = digits.length < base64.length;
  // A last group of one digit would have less than a byte.
  if (!/^[\w+/-]*$/.test(digits) || digits.length % 4 === 1 || (isPadded && base64.length % 4 !== 0)) return undefined;
  return Buffer.from(digits, 'base64');
}

/** Reads bytes, which take precedence over hexadecimal digits (not specified in the contract). */
export function readBytes({ bytes, hex = '' }: BytesOrHex, field: string): Uint8Array {
  const read = bytes ?? readHex(hex);
  if (read === undefined) throw invalidArgument(`${field}.hex isn't hexadecimal. Use two digits for each byte: 01AB.`);
  return read;
}
