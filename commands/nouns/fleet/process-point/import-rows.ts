import type { RowProblem } from '#commands/kit/import/problems.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import type { Device } from '#commands/nouns/fleet/device/item.ts';
import { findAll, isProblem } from '#commands/run/find-all.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message } from '#commands/text/message.ts';

import type { AssignmentRow, ParsedRows, RowNames } from './assignment-rows.ts';
import { processPoint } from './entity.ts';
import type { PointItem } from './item.ts';
import { createPair, requireSameOrganization } from './pairs.ts';
import { pairKey, type Pair, type Period } from './periods.ts';

/** A row whose device and point exist. */
export interface NamedRow {
  readonly row: AssignmentRow;
  readonly pair: Pair;
}

/** Looks up the devices and points of the rows, and of those that have other problems. */
export async function resolveNames(
  context: Context,
  { rows, otherNames }: ParsedRows,
): Promise<{ readonly named: readonly NamedRow[]; readonly problems: readonly RowProblem[] }> {
  const inputs = (column: 'device' | 'point') =>
    [...new Set([...rows, ...otherNames].map((row) => row[column]))].filter((text) => text !== '');
  const [devices, points] = await Promise.all([
    findAll<Device>(device, inputs('device'), device.isId, context),
    findAll<PointItem>(processPoint, inputs('point'), (text) => text.startsWith('#'), context),
  ]);
  const unknownIn = ({ line, device: number, point }: RowNames): readonly RowProblem[] =>
    [['device', devices.get(number)] as const, ['point', points.get(point)] as const].flatMap(([column, found]) =>
      isProblem(found) ? [{ line, column, reason: found }] : [],
    );
  const problems: RowProblem[] = otherNames.flatMap(unknownIn);
  const namedRows = rows.flatMap((row): NamedRow[] => {
    const unknownNames = unknownIn(row);
    problems.push(...unknownNames);
    if (unknownNames.length > 0) return [];
    const [item, point] = [devices.get(row.device)!, points.get(row.point)!];
    try {
      requireSameOrganization(point as PointItem, item as Device);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      problems.push({ line: row.line, reason: error.userMessage });
      return [];
    }
    return [{ row, pair: createPair(point as PointItem, item as Device) }];
  });
  return { named: namedRows, problems };
}

const overlaps = (a: Period, b: Period): boolean => a.since < (b.until ?? Infinity) && b.since < (a.until ?? Infinity);

/** Finds rows of the same pair that contradict each other: of two such rows, the later one. */
export function findContradictions(rows: readonly NamedRow[]): readonly RowProblem[] {
  return [...groupBy(rows, ({ pair }) => pairKey(pair)).values()].flatMap((group) =>
    group.flatMap(({ row }, index) => {
      const earlier = group
        .slice(0, index)
        .find((other) => !row.period || !other.row.period || overlaps(row.period, other.row.period));
      return earlier
        ? [{ line: row.line, reason: message('process-point:row.overlaps', { line: earlier.row.line }) }]
        : [];
    }),
  );
}
