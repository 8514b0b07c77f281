import type { ValueContext } from '#proto/gen/hiber/value_service_pb.ts';

/** A value as text, with its unit apart. */
export interface ValueText {
  readonly text: string;
  readonly unit: string;
  /** Absent unless the value is a number. */
  readonly number?: number;
  /** The color of an enum value, as entered. */
  readonly color?: string;
}

/** Formats a value. An enum shows its display name. Returns undefined for a transformed value. */
export function valueText({ valueType }: Pick<ValueContext, 'valueType'>): ValueText | undefined {
  const value = valueType.case === 'value' ? valueType.value.value : undefined;
  if (value?.case === 'numeric') {
    const { formatted, textual, unitSymbol, value: number } = value.value;
    return { text: formatted || textual || `${number}`, unit: unitSymbol, number };
  }
  if (value?.case === 'enum') {
    const { displayName, value: name, color } = value.value;
    return { text: displayName || name, unit: '', ...(color ? { color } : {}) };
  }
  return value?.case === 'text' ? { text: value.value, unit: '' } : undefined;
}

/** The digits of a number for programs, few enough to hide what converting its unit added. */
const MAX_DIGITS = 12;

/** Returns a value for programs, without the format that the user chose for its unit. */
export function rawValue(value: Pick<ValueContext, 'valueType'>): string | undefined {
  const { text, number } = valueText(value) ?? {};
  return number === undefined ? text : `${Number(number.toPrecision(MAX_DIGITS))}`;
}
