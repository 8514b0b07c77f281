/**
 * The size of a unit in the base unit of its kind: `base = (value + offset) × factor ÷ divisor`, or, if reciprocal,
 * `base = factor ÷ divisor ÷ value`. All these numbers are exact decimals.
 */
export interface Scale {
  readonly factor: number;
  readonly divisor: number;
  readonly offset: number;
  readonly reciprocal: boolean;
}

// The definitions are exact. [SP 811] is NIST Special Publication 811 (2008). [HB 44] is NIST Handbook 44, appendix C.
// [SI] is the SI Brochure of the BIPM, 8th edition.

/** In meters [SP 811, B.8]. */
export const FOOT = 0.3048;
export const INCH = 0.0254;
export const YARD = 0.9144;
export const MILE = 1609.344;
/** In meters [SI, table 8]. A knot is one nautical mile per hour. */
export const NAUTICAL_MILE = 1852;
/** In cubic meters: 231 cubic inches [HB 44]. */
export const US_GALLON = 0.003785411784;
/** In cubic meters [SP 811, B.8]. */
export const IMPERIAL_GALLON = 0.00454609;
/** In cubic meters: 42 US gallons [SP 811, B.8]. */
export const OIL_BARREL = 0.158987294928;
/** In cubic meters: the cube of a foot. */
export const CUBIC_FOOT = 0.028316846592;
/** In cubic meters [SI]. */
export const LITER = 0.001;
/** In kilograms [SP 811, B.8]. */
export const POUND = 0.45359237;
/** Standard acceleration of gravity, in m/s² [SP 811, B.8]. */
export const GRAVITY = 9.80665;
/** In newtons: a pound under standard gravity [SP 811, B.8]. */
export const POUND_FORCE = 4.4482216152605;
/** In square meters: the square of an inch. */
export const SQUARE_INCH = 0.00064516;
export const SQUARE_CENTIMETER = 0.0001;
/** In pascals [SP 811, B.8]. */
export const BAR = 100_000;
/** Converts °C to K by addition [SP 811, B.8]. */
export const CELSIUS_OFFSET = 273.15;
/** Converts °F to °R (1 °R = 5/9 K) by addition [SP 811, B.8]. */
export const FAHRENHEIT_OFFSET = 459.67;
export const KILOMETER = 1000;
export const HOUR = 3600;
export const DAY = 86_400;

export const times = (factor: number, divisor = 1): Scale => ({ factor, divisor, offset: 0, reciprocal: false });
