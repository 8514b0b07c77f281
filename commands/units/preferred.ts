import { UnitOfMeasurement as U } from '#proto/gen/hiber/unit_pb.ts';
import { UnitPreferences_UnitCategory as System, type UnitPreferences } from '#proto/gen/hiber/unit_preferences_pb.ts';

import type { NumberFormat } from './format.ts';
import { unitOf, unitOfKind, type Unit, type UnitKind } from './table.ts';

/**
 * The imperial unit that is nearest in size to each metric unit, and vice versa. Nautical miles and knots belong to
 * neither system. Oil barrels belong to the imperial system.
 */
const COUNTERPARTS: { readonly [S in keyof typeof System]: ReadonlyMap<U, U> } = {
  METRIC: new Map<U, U>([
    [U.DISTANCE_INCH, U.DISTANCE_MILLIMETER],
    [U.DISTANCE_FOOT, U.DISTANCE_METER],
    [U.DISTANCE_YARD, U.DISTANCE_METER],
    [U.DISTANCE_MILE, U.DISTANCE_KILOMETER],
    [U.MASS_POUNDS, U.MASS_KILOGRAMS],
    [U.SPEED_MILES_PER_HOUR, U.SPEED_KILOMETERS_PER_HOUR],
    [U.SPEED_FEET_PER_SECOND, U.SPEED_METERS_PER_SECOND],
    [U.VOLUME_GALLON_US, U.VOLUME_LITER],
    [U.VOLUME_GALLON_IMPERIAL, U.VOLUME_LITER],
    [U.VOLUME_CUBIC_FOOT, U.VOLUME_CUBIC_METER],
    [U.VOLUME_OIL_BARREL, U.VOLUME_CUBIC_METER],
  ]),
  IMPERIAL: new Map<U, U>([
    [U.DISTANCE_MILLIMETER, U.DISTANCE_INCH],
    [U.DISTANCE_CENTIMETER, U.DISTANCE_INCH],
    [U.DISTANCE_METER, U.DISTANCE_FOOT],
    [U.DISTANCE_KILOMETER, U.DISTANCE_MILE],
    [U.MASS_KILOGRAMS, U.MASS_POUNDS],
    [U.SPEED_KILOMETERS_PER_HOUR, U.SPEED_MILES_PER_HOUR],
    [U.SPEED_METERS_PER_SECOND, U.SPEED_FEET_PER_SECOND],
    [U.VOLUME_LITER, U.VOLUME_GALLON_US],
    [U.VOLUME_CUBIC_METER, U.VOLUME_CUBIC_FOOT],
  ]),
};

const counterpartsIn = (system: number): ReadonlyMap<U, U> =>
  system === System.IMPERIAL ? COUNTERPARTS.IMPERIAL : COUNTERPARTS.METRIC;

/** Returns the units that the system converts to, in order of size. */
export function systemUnits(kind: UnitKind, system: System): readonly Unit[] {
  const units = [...new Set(counterpartsIn(system).values())].flatMap((id) => unitOf(id) ?? []);
  return units.filter((unit) => unit.kind === kind);
}

/** A preference in any category. Percentages have no `preference`, because they have only one unit. */
interface Preference {
  readonly preference?: number;
  readonly format?: NumberFormat;
}

/** Users choose a system for these kinds. For the other kinds, they choose a unit. */
const SYSTEM_KINDS: ReadonlySet<UnitKind> = new Set<UnitKind>(['distance', 'mass', 'speed', 'volume']);

/** Returns the preference for a kind, or undefined if the user has none or the contract has none for this kind. */
export function preferenceFor(kind: UnitKind, preferences: UnitPreferences): Preference | undefined {
  if (kind === 'duration' || kind === 'rate') return undefined;
  return preferences[`${kind}Preference`];
}

/** Returns the preferred unit for values in the given unit, or the unit itself if there is no preference. */
export function preferredUnit(unit: Unit, preferences: UnitPreferences): Unit {
  const { preference } = preferenceFor(unit.kind, preferences) ?? {};
  // 0 is a valid preference, such as metric, kelvin, or bar.
  if (preference === undefined) return unit;
  if (!SYSTEM_KINDS.has(unit.kind)) return unitOfKind(unit.kind, preference) ?? unit;
  const counterpart = counterpartsIn(preference).get(unit.id);
  return counterpart === undefined ? unit : (unitOf(counterpart) ?? unit);
}

/** Returns the preferred format for values of this kind, or else the field's format. */
export function preferredFormat(
  kind: UnitKind,
  preferences: UnitPreferences,
  format: NumberFormat | undefined,
): NumberFormat | undefined {
  return preferenceFor(kind, preferences)?.format ?? format;
}
