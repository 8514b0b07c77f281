import { requireCapability, type Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { toSpan } from '#commands/model/time.ts';
import type { ValueOwner } from '#commands/model/values.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { pathKey } from '#commands/text/field-path.ts';
import { message } from '#commands/text/message.ts';
import { nearestNames } from '#commands/text/near.ts';

import { loadFieldValues, type FieldValue } from './value-loading.ts';
import type { Span } from './value-series.ts';

/** The number of fields that a chart shows unless they are chosen. */
const DEFAULT_FIELDS = 4;
/** The maximum number of fields in a chart, which are in its address (spec 2). */
export const MAX_CHART_FIELDS = 20;
/** The number of field names in a message. */
const MAX_NAMES = 12;

interface RangeText {
  readonly start: string;
  readonly end: string;
}

/** Opens an item's chart. Without `names`, shows its most important numbers. */
export async function showChart(
  context: Context,
  owners: readonly ValueOwner[],
  names: readonly string[] | undefined,
  range: RangeText | undefined,
): Promise<void> {
  const [owner, ...others] = owners;
  if (!owner || others.length > 0) throw new CommandError(message('running:values.one', { count: owners.length }));
  if (range) rangeSpan(range, context);
  if (names && names.length > MAX_CHART_FIELDS)
    throw new CommandError(message('running:values.fields', { count: names.length, max: MAX_CHART_FIELDS }), 'field');
  const fieldValues = await loadFieldValues(context, owner);
  const fields = names?.map((name) => findField(name, fieldValues, owner.name)) ?? defaultFields(fieldValues);
  const rangeText = range && (range.start === range.end ? range.start : `${range.start}..${range.end}`);
  requireCapability(context, 'panel').openChart(owner.entity, owner.id, fields, rangeText);
}

/** Returns the fields that a chart shows by default: the most important numbers about the process. */
export function defaultFields(fieldValues: readonly FieldValue[]): readonly string[] {
  const numeric = fieldValues.filter(({ isNumeric, isOperational }) => isNumeric && !isOperational);
  return (numeric.length > 0 ? numeric : fieldValues).map(({ field }) => field).slice(0, DEFAULT_FIELDS);
}

/** Returns the index of a path among paths in any spelling: `level` is `$.level`. Returns -1 if it isn't there. */
export function indexOfField(path: string, paths: readonly string[]): number {
  const exactIndex = paths.indexOf(path.trim());
  const key = pathKey(path);
  return exactIndex >= 0 ? exactIndex : paths.findIndex((other) => pathKey(other) === key);
}

/** Returns the field at a path in any spelling. */
export function fieldAt<F extends Pick<FieldValue, 'field'>>(path: string, fields: readonly F[]): F | undefined {
  return fields[
    indexOfField(
      path,
      fields.map(({ field }) => field),
    )
  ];
}

/**
 * Returns the path of a field, which is given by its path or its name.
 *
 * @throws CommandError listing the names that exist
 */
export function findField(text: string, fields: readonly Pick<FieldValue, 'field' | 'name'>[], owner: string): string {
  const normalizedText = text.trim().toLocaleLowerCase();
  const match =
    fieldAt(text, fields) ??
    fields.find(({ field, name }) => [field, name].some((value) => value.toLocaleLowerCase() === normalizedText)) ??
    fields.find(({ field }) => pathKey(field.toLocaleLowerCase()) === pathKey(normalizedText));
  if (match) return match.field;
  const paths = [...new Set(fields.map(({ field }) => field))];
  // A name that differs from its path only in case is not a second suggestion.
  const names = fields.flatMap(({ field, name }) =>
    name.toLocaleLowerCase() === field.toLocaleLowerCase() ? [] : name,
  );
  const nearMatches = nearestNames(text, [...new Set([...paths, ...names])], 3);
  const values = { field: text, owner, near: nearMatches.join(', '), fields: paths.slice(0, MAX_NAMES).join(', ') };
  const problemKey = nearMatches.length > 0 ? 'running:values.fieldNear' : 'running:values.field';
  throw new CommandError(message(paths.length === 0 ? 'running:values.noFields' : problemKey, values), 'field');
}

/**
 * Returns a range in ms since the epoch. Days are in UTC.
 *
 * @throws CommandError if it ends before it starts
 */
export function rangeSpan({ start, end }: RangeText, { now, preferences }: Context, param = 'range'): Span {
  const [current, weekStart] = [now(), firstDay(preferences)];
  const { to } = toSpan(end, current, weekStart);
  const { from } = toSpan(start, current, weekStart, /^[-+]/.test(start) ? to : undefined);
  if (from > to) throw new CommandError(message('running:values.order', { from: start, to: end }), param);
  return { from, to };
}
