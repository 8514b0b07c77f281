import { fromJson, toJson, type JsonObject } from '@bufbuild/protobuf';

import type { Context } from '#commands/model/context.ts';
import { p } from '#commands/model/params.ts';
import { message, type Message } from '#commands/text/message.ts';
import { systemUnits } from '#commands/units/preferred.ts';
import { unitOfKind } from '#commands/units/table.ts';
import {
  UnitPreferences_RequestSchema,
  UnitPreferences_UnitCategory,
  UnitPreferencesSchema,
  UnitPreferencesService,
  type UnitPreferences,
} from '#proto/gen/hiber/unit_preferences_pb.ts';
import {
  Value_Numeric_Flow_FlowUnit,
  Value_Numeric_FuelEfficiency_FuelEfficiencyUnit,
  Value_Numeric_Pressure_PressureUnit,
  Value_Numeric_RotationSpeed_RotationSpeedUnit,
  Value_Numeric_Temperature_TemperatureUnit,
  Value_Numeric_Voltage_VoltageUnit,
} from '#proto/gen/hiber/value_pb.ts';

const SYSTEMS = p.names(UnitPreferences_UnitCategory);

/** The option for no preference. Values keep their field's unit or format (contract: UnitPreferencesService). */
export const AS_SENT = 'AS_SENT';

/** The unit options of each category, keyed by the prefix of the contract's field names. */
export const UNIT_OPTIONS = {
  distance: UnitPreferences_UnitCategory,
  speed: UnitPreferences_UnitCategory,
  volume: UnitPreferences_UnitCategory,
  mass: UnitPreferences_UnitCategory,
  temperature: Value_Numeric_Temperature_TemperatureUnit,
  pressure: Value_Numeric_Pressure_PressureUnit,
  flow: Value_Numeric_Flow_FlowUnit,
  fuelEfficiency: Value_Numeric_FuelEfficiency_FuelEfficiencyUnit,
  voltage: Value_Numeric_Voltage_VoltageUnit,
  rotationSpeed: Value_Numeric_RotationSpeed_RotationSpeedUnit,
} as const;

export type UnitCategory = keyof typeof UNIT_OPTIONS;

export const UNIT_CATEGORIES = Object.keys(UNIT_OPTIONS) as UnitCategory[];

/** All categories. A percentage has a format but no unit. */
export const CATEGORIES = [...UNIT_CATEGORIES, 'percentage'] as const;

export type Category = (typeof CATEGORIES)[number];

interface Preference {
  readonly preference?: string;
  readonly format?: JsonObject;
}

/** Returns the preference for a category as the contract's JSON, with enums by name. */
export function preferenceJson(preferences: UnitPreferences, category: Category): Preference | undefined {
  const json = toJson(UnitPreferencesSchema, preferences, { alwaysEmitImplicit: true }) as JsonObject;
  return json[`${category}Preference`] as Preference | undefined;
}

export async function loadUnitPreferences(context: Context): Promise<UnitPreferences> {
  const { preferences } = await context.api(UnitPreferencesService).unitPreferences({}, { signal: context.signal });
  return preferences ?? fromJson(UnitPreferencesSchema, {});
}

/** Returns a preference for a unit, a format, or both, or undefined if there is neither. */
export function parsePreference(
  preference: string | undefined,
  format: JsonObject | undefined,
): Preference | undefined {
  if (preference === undefined && format === undefined) return undefined;
  return { ...(preference === undefined ? {} : { preference }), ...(format === undefined ? {} : { format }) };
}

/** Sets the given preferences in one call. Removes a preference if its new value is undefined. */
export async function savePreferences(
  context: Context,
  changes: readonly (readonly [Category, Preference | undefined])[],
): Promise<void> {
  const entries = changes.map(([category, preference]) => {
    const field = `${category.charAt(0).toUpperCase()}${category.slice(1)}Preference`;
    return preference ? [`update${field}`, preference] : [`remove${field}`, true];
  });
  const request = fromJson(UnitPreferences_RequestSchema, Object.fromEntries(entries));
  await context.api(UnitPreferencesService).unitPreferences(request, { signal: context.signal });
}

export function unitOptions(category: UnitCategory): readonly string[] {
  return [AS_SENT, ...p.names(UNIT_OPTIONS[category])];
}

export function currentUnit(preferences: UnitPreferences, category: UnitCategory): string {
  return preferenceJson(preferences, category)?.preference ?? AS_SENT;
}

/** Returns a unit's symbol. For a unit system, returns its name and the symbols of its units. */
export function unitText(category: UnitCategory, option: string): Message {
  if (option === AS_SENT) return message('me:unit.AS_SENT');
  const system = SYSTEMS.find((name) => name === option);
  if (system) {
    const symbols = systemUnits(category, UnitPreferences_UnitCategory[system]).map(({ symbol }) => symbol);
    return message(`me:unit.${system}`, { symbols: symbols.join(', ') });
  }
  const members: Readonly<Record<string, number>> = UNIT_OPTIONS[category];
  const unit = unitOfKind(category, members[option] ?? 0);
  return message('me:unit.symbol', { symbol: unit?.symbol ?? option });
}
