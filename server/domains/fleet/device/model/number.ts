import { invalidArgument } from '#server/wire/errors.ts';

/**
 * Normalizes a device number to its form in storage and on the wire: two groups of four hexadecimal digits ('24F0
 * 91C7'). Input may be in any case and have spaces anywhere (contract: Device number).
 */
export function deviceNumber(text: string): string {
  const digits = text.replaceAll(/\s/g, '').toUpperCase();
  if (!/^[0-9A-F]{8}$/.test(digits)) {
    throw invalidArgument(`"${text}" isn't a device number. Enter 8 hexadecimal digits, as in 24F0 91C7.`);
  }
  return `${digits.slice(0, 4)} ${digits.slice(4)}`;
}
