import type { DetailField } from '#commands/model/column.ts';
import { command } from '#commands/model/command.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Params } from '#commands/model/kinds.ts';
import { p } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';
import type { UnitPreferences } from '#proto/gen/hiber/unit_preferences_pb.ts';

import { restoreDecimals } from './decimals.ts';
import {
  AS_SENT,
  currentUnit,
  preferenceJson,
  parsePreference,
  savePreferences,
  UNIT_CATEGORIES,
  unitOptions,
  loadUnitPreferences,
  unitText,
  type UnitCategory,
} from './unit-preferences.ts';

export const unitDetails: readonly DetailField<{ readonly units: UnitPreferences }>[] = UNIT_CATEGORIES.map(
  (category) => ({
    id: category,
    kind: 'text',
    value: ({ units }) => unitText(category, currentUnit(units, category)),
  }),
);

function selectedUnits(args: Readonly<Record<string, unknown>>): readonly (readonly [UnitCategory, string])[] {
  return UNIT_CATEGORIES.flatMap((category) => {
    const option = args[category];
    return typeof option === 'string' ? [[category, option] as const] : [];
  });
}

const params: Params = Object.fromEntries(
  UNIT_CATEGORIES.map((category) => [
    category,
    p.choice(unitOptions(category), { label: (option) => unitText(category, option) }),
  ]),
);

/** Sets the units of the given categories in one call and keeps all others. */
export const setUnits = command({
  id: 'me.set-units',
  requires: 'UPDATE_SELF',
  effect: 'write',
  params,
  initial: async (context) => {
    const units = await loadUnitPreferences(context);
    return { values: Object.fromEntries(UNIT_CATEGORIES.map((category) => [category, currentUnit(units, category)])) };
  },
  plan: async (context, args) => {
    const units = await loadUnitPreferences(context);
    const changed = selectedUnits(args).filter(([category, option]) => currentUnit(units, category) !== option);
    return {
      summary: message('me:plan.set-units', { count: changed.length }),
      count: Number(changed.length > 0),
      changes: changed.map(([category, option]) => ({
        id: category,
        label: context.actor.name,
        field: message(`me:fields.${category}`),
        before: unitText(category, currentUnit(units, category)),
        after: unitText(category, option),
      })),
      reversible: true,
    };
  },
  run: async (context, args) => {
    const before = await loadUnitPreferences(context);
    const selection = selectedUnits(args);
    // A category keeps its format until its unit is removed.
    const changes = selection.map(([category, option]) => {
      const { format } = preferenceJson(before, category) ?? {};
      return [category, option === AS_SENT ? undefined : parsePreference(option, format)] as const;
    });
    await savePreferences(context, changes);
    return { changed: ['me'], message: message('me:done.set-units'), data: before };
  },
  inverse: (args, { data }) => {
    const before = data as UnitPreferences;
    const selection = selectedUnits(args);
    const previous: Args = Object.fromEntries(selection.map(([category]) => [category, currentUnit(before, category)]));
    const removed = selection.flatMap(([category, option]) =>
      option === AS_SENT && preferenceJson(before, category)?.format ? [category] : [],
    );
    return [{ id: 'me.set-units', args: previous }, ...restoreDecimals(before, removed)];
  },
});
