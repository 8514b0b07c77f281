import type { Context } from '#commands/model/context.ts';
import type { ValueOwner } from '#commands/model/values.ts';
import { toMs } from '#commands/model/wire.ts';
import { converter } from '#commands/units/convert.ts';
import { formatLike } from '#commands/units/format.ts';
import { unitOf, type Unit } from '#commands/units/table.ts';
import { ValueService, type ValueContext } from '#proto/gen/hiber/value_service_pb.ts';

import { timeRange } from './value-pages.ts';
import { SPARK_HOURS, type Point, type Span } from './value-series.ts';
import { valueText, type ValueText } from './value-text.ts';

/** The values of one field, oldest first. A text has the number NaN. */
export interface Series {
  readonly field: string;
  readonly unit: string;
  readonly points: readonly Point[];
}

/** The maximum number of values in a response (`ValueService.Downsampled` of our server). */
const MAX_VALUES = 10_000;

/** Loads the values of fields in a range, each field reduced by the server to at most `points` values. */
export async function loadSeries(
  context: Context,
  { organization, selection }: ValueOwner,
  { fields, span, points }: { readonly fields: readonly string[]; readonly span: Span; readonly points: number },
): Promise<readonly Series[]> {
  const perField = Math.floor(MAX_VALUES / Math.max(1, fields.length));
  const { downsampledValues } = await context.api(ValueService).downsampled(
    {
      organization,
      selection: {
        ownerSelection: selection,
        dataSelection: { case: 'field', value: { fields: [...fields] } },
        timeRange: timeRange(span),
        includeOperationalData: true,
      },
      points: Math.max(4, Math.min(Math.round(points), perField)),
      pagination: { size: MAX_VALUES },
    },
    { signal: context.signal },
  );
  return toSeries(downsampledValues);
}

/**
 * Groups values by field. Several devices that measure a point at the same time keep their order, and their numbers are
 * in the unit of the newest value. Those that can't be converted to it, and texts, are series of their own.
 */
export function toSeries(values: readonly ValueContext[]): readonly Series[] {
  const newest = new Map(values.map((value) => [value.field, value]));
  const seriesByUnit = new Map<string, { field: string; unit: string; points: Point[] }>();
  for (const value of values) {
    const text = convertedText(value, newest.get(value.field) ?? value);
    const time = toMs(value.time);
    if (!text || time === undefined) continue;
    const key = JSON.stringify([value.field, text.unit, text.number === undefined]);
    const series = seriesByUnit.get(key) ?? { field: value.field, unit: text.unit, points: [] };
    const { color } = text;
    series.points.push({ time, value: text.number ?? NaN, text: text.text, ...(color === undefined ? {} : { color }) });
    seriesByUnit.set(key, series);
  }
  return [...seriesByUnit.values()];
}

/** Returns the text of a value, in the unit of another value if it can be converted, and with the same decimals. */
function convertedText(value: ValueContext, other: ValueContext): ValueText | undefined {
  const text = valueText(value);
  const [unit, otherUnit] = [unitIn(value), unitIn(other)];
  if (!unit || !otherUnit || unit.id === otherUnit.id || unit.kind !== otherUnit.kind) return text;
  const number = text?.number === undefined ? undefined : converter(unit, otherUnit)(text.number);
  const otherText = valueText(other);
  if (number === undefined || !otherText) return text;
  return { text: formatLike(number, otherText.text), unit: otherText.unit, number };
}

function unitIn({ valueType }: ValueContext): Unit | undefined {
  const value = valueType.case === 'value' ? valueType.value.value : undefined;
  return value?.case === 'numeric' ? unitOf(value.value.unit) : undefined;
}

/** The number of values that a sparkline requests: enough for the last value of each hour. */
const SPARK_POINTS = SPARK_HOURS * 4;

/** Loads the last day's values for the sparklines of all numeric fields, in one request. */
export async function loadSparklines(
  context: Context,
  owner: ValueOwner,
  fields: readonly string[],
): Promise<ReadonlyMap<string, readonly Point[]>> {
  if (fields.length === 0) return new Map();
  const now = context.now().getTime();
  const span = { from: now - SPARK_HOURS * 3_600_000, to: now };
  const series = await loadSeries(context, owner, { fields, span, points: SPARK_POINTS });
  return new Map(series.map(({ field, points }) => [field, points]));
}
