import { assignmentPeriod, periodColumn } from '#commands/kit/assignment-period.ts';
import type { Column } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import { toMs } from '#commands/model/wire.ts';
import { loadAllPages } from '#commands/run/paging.ts';
import type { Message } from '#commands/text/message.ts';
import type { Assignment } from '#proto/gen/hiber/assignment_pb.ts';

import type { Device } from './item.ts';
import { ALL_LIFECYCLES } from './lifecycle.ts';

/** The maximum number of assignments to show. */
const MAX_ROWS = 100;

/** A process point that a device measures or measured, and when. */
interface AssignedPoint {
  readonly identifier: string;
  readonly name: string;
  readonly assignment: Assignment;
  readonly period: Message;
}

const columns: readonly Column<AssignedPoint>[] = [
  { id: 'name', kind: 'text', width: 160, grow: 1, value: ({ name }) => name },
  periodColumn,
];

/** Returns names by identifier. Empty if the user cannot see process points. */
async function loadPointNames(
  { actor, api, signal }: Context,
  organization: string,
  identifiers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (identifiers.length === 0 || !actor.abilities.has('VIEW_PROCESS_POINTS')) return new Map();
  const { ProcessPointService } = await import('#proto/gen/hiber/process_point_service_pb.ts');
  const points = await loadAllPages(async (pagination) => {
    const request = { organization, selection: { identifiers: [...identifiers] }, pagination };
    const response = await api(ProcessPointService).list(request, { signal });
    return { items: response.processPoints, pagination: response.pagination };
  });
  return new Map(points.map(({ identifier, name }) => [identifier, name]));
}

/** The current and past process points of a device, newest first. */
export const processPoints: DetailTab<Device> = {
  id: 'processPoints',
  requires: 'ASSIGNMENTS',
  add: ({ modem }) => ({ id: 'process-point.assign', args: { devices: { ids: [modem.number] } } }),
  addsMore: true,
  columns,
  limit: MAX_ROWS,
  load: async (context, { modem: { number, organization } }) => {
    const { AssignmentService, AssignmentType } = await import('#proto/gen/hiber/assignment_pb.ts');
    const { assignments } = await context.api(AssignmentService).list(
      {
        organization,
        selection: {
          modems: { modems: { include: [number] }, lifecycles: ALL_LIFECYCLES },
          types: { include: [AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE] },
        },
        includeInactiveAssignments: true,
        useProcessPoint: true,
        pagination: { size: MAX_ROWS },
      },
      { signal: context.signal },
    );
    const rows = assignments.flatMap((assignment) =>
      assignment.assign.case === 'assignProcessPoint' ? [{ identifier: assignment.assign.value, assignment }] : [],
    );
    const names = await loadPointNames(context, organization, [...new Set(rows.map(({ identifier }) => identifier))]);
    return rows.map(({ identifier, assignment }): AssignedPoint => ({
      identifier,
      name: names.get(identifier) ?? identifier,
      assignment,
      period: assignmentPeriod(assignment.start, assignment.end, context),
    }));
  },
  key: (row) => {
    const { identifier, assignment } = row as AssignedPoint;
    return `${identifier} ${toMs(assignment.start)}`;
  },
  opens: (row, { modem: { organization } }) => ({
    entity: 'process-point',
    id: (row as AssignedPoint).identifier,
    organization,
  }),
};
