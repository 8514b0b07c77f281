import type { Sealer } from '#server/base/secrets.ts';

interface ValueColumns {
  readonly numeric: number | null;
  readonly text: string | null;
  readonly sealed?: boolean;
}

/**
 * Encrypts the value of an encrypted field. Its type and unit stay readable, but the database can no longer compare it,
 * which limits how it can be processed (contract: Field).
 */
export const sealValue = <Value extends ValueColumns>(secrets: Sealer, value: Value): Value => ({
  ...value,
  numeric: null,
  text: secrets.seal(JSON.stringify(value.numeric ?? value.text)),
  sealed: true,
});

/**
 * Decrypts a stored value if it is sealed.
 *
 * @throws UnsealError
 */
export function openValue<Value extends ValueColumns>(secrets: Sealer, value: Value): Value {
  if (!value.sealed || value.text === null) return value;
  const openedValue = JSON.parse(secrets.open(value.text)) as number | string;
  return typeof openedValue === 'number'
    ? { ...value, numeric: openedValue, text: null }
    : { ...value, text: openedValue };
}
