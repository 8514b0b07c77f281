import { fromJson, type JsonObject } from '@bufbuild/protobuf';

import type { DetailField } from '#commands/model/column.ts';
import { command } from '#commands/model/command.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { p, required } from '#commands/model/params.ts';
import { message, listWithAnd, type Message } from '#commands/text/message.ts';
import { converter } from '#commands/units/convert.ts';
import { formatNumber, MAX_DECIMALS, withSymbol } from '#commands/units/format.ts';
import { preferredUnit } from '#commands/units/preferred.ts';
import { unitOf } from '#commands/units/table.ts';
import {
  Field_Numeric_Format_RoundingMode as RoundingMode,
  Field_Numeric_FormatSchema,
} from '#proto/gen/hiber/field_pb.ts';
import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import type { UnitPreferences } from '#proto/gen/hiber/unit_preferences_pb.ts';

import {
  AS_SENT,
  CATEGORIES,
  preferenceJson,
  parsePreference,
  savePreferences,
  loadUnitPreferences,
  type Category,
} from './unit-preferences.ts';

/** A number of decimals, or `AS_SENT`, and a rounding mode by name. */
interface Decimals {
  readonly decimals: string;
  readonly rounding: string;
}

const DECIMALS = [...Array.from({ length: MAX_DECIMALS + 1 }, (_, count) => String(count)), AS_SENT];

const ROUNDINGS = p.names(RoundingMode);

/** An example reading with enough digits to show rounding, and its unit in each category. */
const READING = 12.345678;
const READING_UNITS: { readonly [C in Category]: UnitOfMeasurement } = {
  distance: UnitOfMeasurement.DISTANCE_METER,
  speed: UnitOfMeasurement.SPEED_KILOMETERS_PER_HOUR,
  volume: UnitOfMeasurement.VOLUME_LITER,
  mass: UnitOfMeasurement.MASS_KILOGRAMS,
  temperature: UnitOfMeasurement.TEMPERATURE_DEGREES_CELSIUS,
  pressure: UnitOfMeasurement.PRESSURE_BAR,
  flow: UnitOfMeasurement.FLOW_CUBIC_METER_PER_HOUR,
  fuelEfficiency: UnitOfMeasurement.FUEL_EFFICIENCY_LITER_PER_100_KILOMETER,
  voltage: UnitOfMeasurement.VOLTAGE_MILLIVOLT,
  rotationSpeed: UnitOfMeasurement.REVOLUTIONS_PER_MINUTE,
  percentage: UnitOfMeasurement.PERCENT,
};

/** The categories by their names in the contract's `Value.Numeric.Type`, such as `FUEL_EFFICIENCY`. */
const CATEGORIES_BY_TYPE: ReadonlyMap<string, Category> = new Map(
  CATEGORIES.map((category) => [typeName(category), category]),
);

function typeName(category: Category): string {
  return category.replace(/[A-Z]/g, '_$&').toUpperCase();
}

const categoriesOf = (types: readonly string[]): readonly Category[] =>
  types.flatMap((type) => CATEGORIES_BY_TYPE.get(type) ?? []);

const typeText = (type: string): Message => message(`me:labels.${CATEGORIES_BY_TYPE.get(type) ?? type}`);
const decimalsText = (option: string): Message =>
  option === AS_SENT ? message('me:unit.AS_SENT') : message('me:decimals', { value: option });
const roundingText = (mode: string): Message => message(`me:rounding.${mode}`);

function currentDecimals(preferences: UnitPreferences, category: Category): Decimals {
  const format = preferences[`${category}Preference`]?.format;
  const rounding = ROUNDINGS.find((name) => RoundingMode[name] === format?.roundingMode) ?? ROUNDINGS[0]!;
  if (format?.round.case === 'roundToScale') return { decimals: String(format.round.value), rounding };
  return { decimals: format?.round.case === 'roundToInteger' && format.round.value ? '0' : AS_SENT, rounding };
}

function formatJson({ decimals, rounding }: Decimals): JsonObject {
  const round: JsonObject = decimals === '0' ? { roundToInteger: true } : { roundToScale: Number(decimals) };
  return { ...round, roundingMode: rounding };
}

/** Returns the number of decimals, the rounding mode, and an example in the preferred unit. */
function formatText(preferences: UnitPreferences, category: Category, format: Decimals): Message {
  const unit = unitOf(READING_UNITS[category]);
  if (format.decimals === AS_SENT || !unit) return message('me:unit.AS_SENT');
  const shownUnit = preferredUnit(unit, preferences);
  const value = converter(unit, shownUnit)(READING) ?? READING;
  return message('me:format', {
    count: Number(format.decimals),
    rounding: roundingText(format.rounding),
    example: withSymbol(
      formatNumber(value, fromJson(Field_Numeric_FormatSchema, formatJson(format))),
      shownUnit.symbol,
    ),
  });
}

export const decimalDetails: readonly DetailField<{ readonly units: UnitPreferences }>[] = CATEGORIES.map(
  (category) => ({
    id: category,
    kind: 'text',
    value: ({ units }) => formatText(units, category, currentDecimals(units, category)),
  }),
);

/** Returns the commands that restore the previous decimals of the given categories. */
export function restoreDecimals(before: UnitPreferences, categories: readonly Category[]): readonly Invocation[] {
  const steps = new Map<string, { readonly previous: Decimals; readonly names: Category[] }>();
  for (const category of categories) {
    const previous = currentDecimals(before, category);
    const step = steps.get(JSON.stringify(previous)) ?? { previous, names: [] };
    step.names.push(category);
    steps.set(JSON.stringify(previous), step);
  }
  return [...steps.values()].map(({ previous, names }) => ({
    id: 'me.set-decimals',
    args: { types: names.map(typeName), ...previous },
  }));
}

/** Returns a category's new decimals. The category keeps its rounding mode unless a new one is given. */
function nextDecimals(
  preferences: UnitPreferences,
  category: Category,
  { decimals, rounding }: { readonly decimals: string; readonly rounding: string | undefined },
): Decimals {
  const current = currentDecimals(preferences, category);
  // If values are shown as sent, the rounding mode has no effect, so it stays the same.
  return { decimals, rounding: decimals === AS_SENT ? current.rounding : (rounding ?? current.rounding) };
}

const isSame = (left: Decimals, right: Decimals): boolean =>
  left.decimals === right.decimals && left.rounding === right.rounding;

/** Sets the decimals of the given categories in one call. */
export const setDecimals = command({
  id: 'me.set-decimals',
  requires: 'UPDATE_SELF',
  effect: 'write',
  params: {
    types: required(p.choices([...CATEGORIES_BY_TYPE.keys()], { label: typeText })),
    decimals: required(p.choice(DECIMALS, { label: decimalsText })),
    rounding: p.choice(ROUNDINGS, { label: roundingText }),
  },
  positional: ['types', 'decimals'],
  plan: async (context, { types, ...format }) => {
    const units = await loadUnitPreferences(context);
    const changes = categoriesOf(types).flatMap((category) => {
      const [before, after] = [currentDecimals(units, category), nextDecimals(units, category, format)];
      if (isSame(before, after)) return [];
      return [
        {
          id: category,
          label: context.actor.name,
          field: message('me:fields.decimals', { category: message(`me:fields.${category}`) }),
          before: formatText(units, category, before),
          after: formatText(units, category, after),
        },
      ];
    });
    return {
      summary: message('me:plan.set-decimals', { count: changes.length }),
      count: Number(changes.length > 0),
      changes,
      reversible: true,
    };
  },
  run: async (context, { types, ...newFormat }) => {
    const categories = categoriesOf(types);
    const before = await loadUnitPreferences(context);
    // A preference with a format needs a unit, because the server would read a missing unit as 0, such as kelvin.
    const withoutUnit = categories.filter((name) => name !== 'percentage' && !preferenceJson(before, name));
    const names = listWithAnd(withoutUnit.map((name) => message(`me:fields.${name}`)));
    if (names && newFormat.decimals !== AS_SENT) throw new CommandError(message('me:validation.unitFirst', { names }));
    const changes = categories
      .filter((name) => !withoutUnit.includes(name))
      .map((name) => {
        const next = nextDecimals(before, name, newFormat);
        const format = next.decimals === AS_SENT ? undefined : formatJson(next);
        return [name, parsePreference(preferenceJson(before, name)?.preference, format)] as const;
      });
    await savePreferences(context, changes);
    return { changed: ['me'], message: message('me:done.set-decimals'), data: before };
  },
  inverse: ({ types }, { data }) => restoreDecimals(data as UnitPreferences, categoriesOf(types)),
});
