import { UnitOfMeasurement as U } from '#proto/gen/hiber/unit_pb.ts';
import { UnitPreferences_UnitCategory as System, type UnitPreferences } from '#proto/gen/hiber/unit_preferences_pb.ts';

import type { NumberFormat } from './format.ts';
import { unitOf, unitOfKind, type Unit, type UnitKind } from './table.ts';

/**
 * The imperial unit for each metric unit, and vice versa: the one nearest in size. Nautical miles and knots belong to
 * neither system, and oil barrels to the imperial one.
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

/** A preference of any category. Percentages have no `preference`, as they have only one unit. */
interface Preference {
  readonly preference?: number;
  readonly format?: NumberFormat;
}

/** The kinds for which a person chooses a system, and those for which they choose a unit. */
const SYSTEM_KINDS: ReadonlySet<UnitKind> = new Set<UnitKind>(['distance', 'mass', 'speed', 'volume']);

/** Returns the preference for a kind; undefined without one, and for kinds that have none in the contract. */
export function preferenceFor(kind: UnitKind, preferences: UnitPreferences): Preference | undefined {
  if (kind === 'duration' || kind === 'rate') return undefined;
  return preferences[`${kind}Preference`];
}

/** Returns the preferred unit for values in this unit: the unit itself if nothing else is preferred. */
export function preferredUnit(unit: Unit, preferences: UnitPreferences): Unit {
  const { preference } = preferenceFor(unit.kind, preferences) ?? {};
  // Metric and imperial, kelvin and bar: 0 is a preference, too.
  if (preference === undefined) return unit;
  if (!SYSTEM_KINDS.has(unit.kind)) return unitOfKind(unit.kind, preference) ?? unit;
  const counterpart = counterpartsIn(preference).get(unit.id);
  return counterpart === undefined ? unit : (unitOf(counterpart) ?? unit);
}

/** Returns the format for values of this kind: the preferred one, or else that of the field. */
export function preferredFormat(
  kind: UnitKind,
  preferences: UnitPreferences,
  format: NumberFormat | undefined,
): NumberFormat | undefined {
  return preferenceFor(kind, preferences)?.format ?? format;
}
