import { fromJson, toJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';

import type { DetailField } from '#commands/model/column.ts';
import { command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Params } from '#commands/model/kinds.ts';
import { p } from '#commands/model/params.ts';
import { message, type Message } from '#commands/text/message.ts';
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

/** No preference: values keep the unit of their field (contract: UnitPreferencesService). */
const AS_SENT = 'AS_SENT';

const SYSTEMS = p.names(UnitPreferences_UnitCategory);

/** For percentages, only the number of decimals can be chosen. */
const DECIMALS = ['0', '1', '2', '3'];
const PERCENTAGE = 'percentage';

/** The options of each category that has a preference, by the prefix of the contract's field names. */
const CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  distance: SYSTEMS,
  speed: SYSTEMS,
  volume: SYSTEMS,
  mass: SYSTEMS,
  temperature: p.names(Value_Numeric_Temperature_TemperatureUnit),
  pressure: p.names(Value_Numeric_Pressure_PressureUnit),
  flow: p.names(Value_Numeric_Flow_FlowUnit),
  fuelEfficiency: p.names(Value_Numeric_FuelEfficiency_FuelEfficiencyUnit),
  voltage: p.names(Value_Numeric_Voltage_VoltageUnit),
  rotationSpeed: p.names(Value_Numeric_RotationSpeed_RotationSpeedUnit),
  [PERCENTAGE]: DECIMALS,
};

const NAMES = Object.keys(CATEGORIES);

type PreferencesJson = Readonly<
  Record<string, { readonly preference?: string; readonly format?: JsonObject } | undefined>
>;

/** Converts preferences to the contract's JSON, with enums as names and fields by category. */
function toPreferencesJson(preferences: UnitPreferences): PreferencesJson {
  return toJson(UnitPreferencesSchema, preferences, { alwaysEmitImplicit: true }) as unknown as PreferencesJson;
}

export async function unitPreferences(context: Context): Promise<UnitPreferences> {
  const { preferences } = await context.api(UnitPreferencesService).unitPreferences({}, { signal: context.signal });
  return preferences ?? fromJson(UnitPreferencesSchema, {});
}

function currentOption(preferences: UnitPreferences, name: string): string {
  const preference = toPreferencesJson(preferences)[`${name}Preference`];
  if (!preference) return AS_SENT;
  if (name !== PERCENTAGE) return preference.preference ?? AS_SENT;
  const { roundToScale, roundToInteger } = preference.format ?? {};
  if (roundToInteger) return '0';
  return typeof roundToScale === 'number' ? String(roundToScale) : AS_SENT;
}

export function unitText(option: string): Message {
  return message(`me:unit.${option}`);
}

export const unitDetails: readonly DetailField<{ readonly units: UnitPreferences }>[] = NAMES.map((name) => ({
  id: name,
  kind: 'text',
  value: ({ units }) => unitText(currentOption(units, name)),
}));

/** Builds the request that sets the given options, by category. Keeps any format that another client has set. */
function updateRequest(options: Readonly<Record<string, string>>, before: UnitPreferences): JsonObject {
  const entries = Object.entries(options).map(([name, option]): [string, JsonValue] => {
    const field = `${name.charAt(0).toUpperCase()}${name.slice(1)}Preference`;
    if (option === AS_SENT) return [`remove${field}`, true];
    if (name === PERCENTAGE) {
      return [
        `update${field}`,
        { format: option === '0' ? { roundToInteger: true } : { roundToScale: Number(option) } },
      ];
    }
    const format = toPreferencesJson(before)[`${name}Preference`]?.format;
    return [`update${field}`, { preference: option, ...(format ? { format } : {}) }];
  });
  return Object.fromEntries(entries);
}

function optionsOf(args: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(NAMES.flatMap((name) => (typeof args[name] === 'string' ? [[name, args[name]]] : [])));
}

const params: Params = Object.fromEntries(
  NAMES.map((name) => [name, p.choice([AS_SENT, ...(CATEGORIES[name] ?? [])], { label: unitText })]),
);

/** Sets the units of the given categories in one call and keeps all others. */
export const setUnits = command({
  id: 'me.set-units',
  requires: 'UPDATE_SELF',
  effect: 'write',
  params,
  initial: async (context) => {
    const units = await unitPreferences(context);
    return { values: Object.fromEntries(NAMES.map((name) => [name, currentOption(units, name)])) };
  },
  plan: async (context, args) => {
    const units = await unitPreferences(context);
    const changedOptions = Object.entries(optionsOf(args)).filter(
      ([name, option]) => currentOption(units, name) !== option,
    );
    return {
      summary: message('me:plan.set-units', { count: changedOptions.length }),
      count: Number(changedOptions.length > 0),
      changes: changedOptions.map(([name, option]) => ({
        id: name,
        label: context.actor.name,
        field: message(`me:fields.${name}`),
        before: unitText(currentOption(units, name)),
        after: unitText(option),
      })),
      reversible: true,
    };
  },
  run: async (context, args) => {
    const before = await unitPreferences(context);
    const options = optionsOf(args);
    const request = fromJson(UnitPreferences_RequestSchema, updateRequest(options, before));
    await context.api(UnitPreferencesService).unitPreferences(request, { signal: context.signal });
    const previous: Args = Object.fromEntries(Object.keys(options).map((name) => [name, currentOption(before, name)]));
    return { changed: ['me'], message: message('me:done.set-units'), data: { previous } };
  },
  inverse: (_args, { data }) => [{ id: 'me.set-units', args: (data as { previous: Args }).previous }],
});
