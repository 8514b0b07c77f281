import { invalidArgument } from '#server/wire/errors.ts';

/**
 * A device number as it is stored and put on the wire: two groups of four hexadecimal digits ('24F0 91C7'). Input may
 * be in any case and with spaces anywhere (contract: Device number).
 */
export function deviceNumber(text: string): string {
  const digits = text.replaceAll(/\s/g, '').toUpperCase();
  if (!/^[0-9A-F]{8}$/.test(digits)) {
    throw invalidArgument(`"${text}" is not a device number: it has 8 hexadecimal digits, as in 24F0 91C7.`);
  }
  return `${digits.slice(0, 4)} ${digits.slice(4)}`;
}
