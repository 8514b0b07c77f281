import { fromJson, toJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';

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
import { command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { DetailField } from '#commands/model/column.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Params } from '#commands/model/kinds.ts';
import { message, type Message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';

/** No preference: values stay in the unit of their field (contract: UnitPreferencesService). */
const AS_SENT = 'AS_SENT';

const SYSTEMS = p.names(UnitPreferences_UnitCategory);

/** Of percentages only the number of decimals is a preference. */
const DECIMALS = ['0', '1', '2', '3'];
const PERCENTAGE = 'percentage';

/**
 * The categories that have a preference, each with what can be preferred, by the name that the contract's fields
 * begin with.
 */
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

type Preferred = Readonly<Record<string, { readonly preference?: string; readonly format?: JsonObject } | undefined>>;

/** In the contract's JSON, which names enum values and lets fields be told apart by category. */
function preferred(preferences: UnitPreferences): Preferred {
  return toJson(UnitPreferencesSchema, preferences, { alwaysEmitImplicit: true }) as unknown as Preferred;
}

export async function unitPreferences(context: Context): Promise<UnitPreferences> {
  const { preferences } = await context.api(UnitPreferencesService).unitPreferences({}, { signal: context.signal });
  return preferences ?? fromJson(UnitPreferencesSchema, {});
}

function now(preferences: UnitPreferences, name: string): string {
  const found = preferred(preferences)[`${name}Preference`];
  if (!found) return AS_SENT;
  if (name !== PERCENTAGE) return found.preference ?? AS_SENT;
  const { roundToScale, roundToInteger } = found.format ?? {};
  if (roundToInteger) return '0';
  return typeof roundToScale === 'number' ? String(roundToScale) : AS_SENT;
}

export function unitText(option: string): Message {
  return message(`me:unit.${option}`);
}

export const unitDetails: readonly DetailField<{ readonly units: UnitPreferences }>[] = NAMES.map((name) => ({
  id: name,
  kind: 'text',
  value: ({ units }) => unitText(now(units, name)),
}));

/** The request that sets these, by category. A format that somebody set elsewhere stays. */
function requestOf(wanted: Readonly<Record<string, string>>, before: UnitPreferences): JsonObject {
  const entries = Object.entries(wanted).map(([name, option]): [string, JsonValue] => {
    const field = `${name.charAt(0).toUpperCase()}${name.slice(1)}Preference`;
    if (option === AS_SENT) return [`remove${field}`, true];
    if (name === PERCENTAGE) {
      return [
        `update${field}`,
        { format: option === '0' ? { roundToInteger: true } : { roundToScale: Number(option) } },
      ];
    }
    const format = preferred(before)[`${name}Preference`]?.format;
    return [`update${field}`, { preference: option, ...(format ? { format } : {}) }];
  });
  return Object.fromEntries(entries);
}

function wantedOf(args: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(NAMES.flatMap((name) => (typeof args[name] === 'string' ? [[name, args[name]]] : [])));
}

const params: Params = Object.fromEntries(
  NAMES.map((name) => [name, p.choice([AS_SENT, ...(CATEGORIES[name] ?? [])], { label: unitText })]),
);

/** All categories in one: what is not named stays. */
export const setUnits = command({
  id: 'me.set-units',
  requires: 'UPDATE_SELF',
  effect: 'write',
  params,
  initial: async (context) => {
    const units = await unitPreferences(context);
    return { values: Object.fromEntries(NAMES.map((name) => [name, now(units, name)])) };
  },
  plan: async (context, args) => {
    const units = await unitPreferences(context);
    const changing = Object.entries(wantedOf(args)).filter(([name, option]) => now(units, name) !== option);
    return {
      summary: message('me:plan.set-units', { count: changing.length }),
      count: 1,
      changes: changing.map(([name, option]) => ({
        id: name,
        label: context.actor.name,
        field: message(`me:fields.${name}`),
        before: unitText(now(units, name)),
        after: unitText(option),
      })),
      reversible: true,
    };
  },
  run: async (context, args) => {
    const before = await unitPreferences(context);
    const wanted = wantedOf(args);
    const request = fromJson(UnitPreferences_RequestSchema, requestOf(wanted, before));
    await context.api(UnitPreferencesService).unitPreferences(request, { signal: context.signal });
    const former: Args = Object.fromEntries(Object.keys(wanted).map((name) => [name, now(before, name)]));
    return { changed: ['me'], message: message('me:done.set-units'), data: { former } };
  },
  inverse: (_args, { data }) => [{ id: 'me.set-units', args: (data as { former: Args }).former }],
});
