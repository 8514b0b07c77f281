import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';

import type { Context } from '#commands/model/context.ts';
import { toMs } from '#commands/model/wire.ts';
import { selectNumbers } from '#commands/nouns/fleet/device/entity.ts';
import { chunks, IDS_PER_REQUEST, loadAllPages } from '#commands/run/paging.ts';
import { groupBy } from '#commands/text/group-by.ts';
import {
  type Assign_RequestSchema,
  type Assignment,
  AssignmentService,
  AssignmentType,
} from '#proto/gen/hiber/assignment_pb.ts';
import type { TimestampSchema } from '#proto/gen/hiber/base_pb.ts';

import { type Period, type Pair, type PairPeriods, type OverrideFlags, keyOf, pairKey } from './periods.ts';

/** Loads all periods of the given pairs, including past ones. */
export async function loadPeriods(context: Context, pairs: readonly Pair[]): Promise<readonly PairPeriods[]> {
  const byPair = new Map<string, Period[]>();
  for (const [organization, group] of groupBy(pairs, (pair) => pair.organization)) {
    const points = [...new Set(group.map(({ point }) => point.id))];
    const numbers = [...new Set(group.map(({ device }) => device.id))];
    for (const pointPart of chunks(points, IDS_PER_REQUEST)) {
      for (const numberPart of chunks(numbers, IDS_PER_REQUEST)) {
        const rows = await listAssignments(context, organization, { points: pointPart, numbers: numberPart });
        for (const { point, number, ...period } of rows) {
          const key = keyOf(point, number);
          byPair.set(key, [...(byPair.get(key) ?? []), period]);
        }
      }
    }
  }
  return pairs.map((pair) => ({
    ...pair,
    periods: (byPair.get(pairKey(pair)) ?? []).toSorted((a, b) => a.since - b.since),
  }));
}

/** An assignment of a device to a process point, as listed. */
export interface ListedPeriod extends Period {
  readonly point: string;
  readonly number: string;
}

/** Lists the current and past assignments of the given devices at the given points; either can be left open. */
export async function listAssignments(
  { api, signal }: Pick<Context, 'api' | 'signal'>,
  organization: string,
  { points, numbers }: { readonly points?: readonly string[]; readonly numbers?: readonly string[] },
): Promise<readonly ListedPeriod[]> {
  const assignments = await loadAllPages(async (pagination) => {
    const response = await api(AssignmentService).list(
      {
        organization,
        selection: {
          types: { include: [AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE] },
          ...(points ? { processPoints: { identifiers: [...points] } } : {}),
          ...(numbers ? { modems: selectNumbers(numbers) } : {}),
        },
        includeInactiveAssignments: true,
        useProcessPoint: true,
        pagination,
      },
      { signal },
    );
    return { items: response.assignments, pagination: response.pagination };
  });
  return assignments.flatMap((assignment) => readAssignment(assignment) ?? []);
}

function readAssignment({ assign, to, start, end, additionalConfiguration }: Assignment): ListedPeriod | undefined {
  const since = toMs(start);
  if (assign.case !== 'assignProcessPoint' || to.case !== 'toModem' || since === undefined) return undefined;
  const { case: kind, value } = additionalConfiguration;
  return {
    point: assign.value,
    number: to.value,
    since,
    until: toMs(end),
    fields: kind === 'processPointDevice' ? (value.sharedFields?.fields ?? []) : [],
  };
}

export const msToTimestamp = (ms: number): MessageInitShape<typeof TimestampSchema> => ({
  timestamp: timestampFromMs(ms),
});

/** Returns the request that assigns the devices to the points for a period. */
export function assignRequest(
  organization: string,
  points: readonly string[],
  numbers: readonly string[],
  { since, until, fields }: Period,
  { override, allowDelete }: OverrideFlags,
): MessageInitShape<typeof Assign_RequestSchema> {
  return {
    organization,
    assign: { case: 'assignModems', value: selectNumbers(numbers) },
    to: { case: 'toProcessPoints', value: { identifiers: [...points] } },
    overrideTime: msToTimestamp(since),
    ...(until === undefined ? {} : { endTime: msToTimestamp(until) }),
    ...(override ? { overrideConflictingAssignments: true } : {}),
    ...(override && allowDelete ? { overrideConflictingAssignmentsAllowDelete: true } : {}),
    ...(fields.length > 0
      ? {
          additionalConfiguration: {
            case: 'processPointDevice' as const,
            value: { sharedFields: { fields: [...fields] } },
          },
        }
      : {}),
  };
}
