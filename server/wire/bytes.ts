import type { BytesOrHex } from '#proto/gen/hiber/base_pb.ts';

import { invalidArgument } from './errors.ts';

/** Reads hexadecimal digits, ignoring whitespace. Returns undefined for anything else. */
export function readHex(hex: string): Uint8Array | undefined {
  const digits = hex.replaceAll(/\s/g, '');
  return /^([0-9a-f]{2})*$/i.test(digits) ? Buffer.from(digits, 'hex') : undefined;
}

/** Reads bytes, which take precedence over hexadecimal digits (not specified in the contract). */
export function readBytes({ bytes, hex = '' }: BytesOrHex, field: string): Uint8Array {
  const read = bytes ?? readHex(hex);
  if (read === undefined) throw invalidArgument(`${field}.hex isn't hexadecimal. Use two digits for each byte: 01AB.`);
  return read;
}
