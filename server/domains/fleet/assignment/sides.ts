import type { ModemAlarmSelection } from '#proto/gen/hiber/alarm_pb.ts';
import {
  type Assign_Request,
  AssignmentType,
  type DeleteAssignment_Request,
  type Unassign_Request,
} from '#proto/gen/hiber/assignment_pb.ts';
import type { ModemSelection } from '#proto/gen/hiber/modem_pb.ts';
import type { ModemMessageBodyParserSelection } from '#proto/gen/hiber/parser_pb.ts';
import type { ProcessPointSelection } from '#proto/gen/hiber/process_point_pb.ts';
import type { TagSelection } from '#proto/gen/hiber/tag_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { deviceScope } from '#server/domains/fleet/device/model/where.ts';
import { lockPoints } from '#server/domains/fleet/process-point/model/where.ts';
import type { PermissionName } from '#server/policies/permissions.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument, notFound, summarizeList } from '#server/wire/errors.ts';

import { modemNumbers, selectParsers, selectTags } from './model/items.ts';
import type { Sides } from './model/link-rows.ts';

/** A selection on one side of a request. */
type Selected =
  | { readonly kind: 'parsers'; readonly selection: ModemMessageBodyParserSelection }
  | { readonly kind: 'alarms'; readonly selection: ModemAlarmSelection }
  | { readonly kind: 'devices'; readonly selection: ModemSelection }
  | { readonly kind: 'points'; readonly selection: ProcessPointSelection }
  | { readonly kind: 'tags'; readonly selection: TagSelection };

const ASSIGNED_KINDS = {
  assignParsers: 'parsers',
  assignAlarms: 'alarms',
  assignModems: 'devices',
  assignProcessPoints: 'points',
  unassignParsers: 'parsers',
  unassignAlarms: 'alarms',
  unassignModems: 'devices',
  unassignProcessPoints: 'points',
} as const;

const TARGET_KINDS = {
  toModems: 'devices',
  toTags: 'tags',
  toProcessPoints: 'points',
  fromModems: 'devices',
  fromTags: 'tags',
  fromProcessPoints: 'points',
} as const;

const NAMES = { parsers: 'Parsers', alarms: 'Alarms', devices: 'Devices', points: 'Process points', tags: 'Tags' };

/** The permission for each side (contract: "plus permission on both sides"); any member may see tags. */
const PERMISSIONS: Readonly<Record<Selected['kind'], PermissionName | undefined>> = {
  parsers: 'MODEMS_MESSAGE_BODY_PARSERS',
  alarms: 'MODEMS_ALARMS',
  devices: 'MODEMS',
  points: 'PROCESS_POINTS',
  tags: undefined,
};

export const readAssignSides = (
  tx: Tx,
  caller: Scope,
  { assign, to }: Assign_Request,
  now: Date,
): Promise<Sides | undefined> =>
  readSides(
    tx,
    caller,
    assign.case && ({ kind: ASSIGNED_KINDS[assign.case], selection: assign.value } as Selected),
    to.case && ({ kind: TARGET_KINDS[to.case], selection: to.value } as Selected),
    now,
  );

export const readUnassignSides = (
  tx: Tx,
  caller: Scope,
  { unassign, from }: Unassign_Request | DeleteAssignment_Request,
  now: Date,
): Promise<Sides | undefined> =>
  readSides(
    tx,
    caller,
    unassign.case && ({ kind: ASSIGNED_KINDS[unassign.case], selection: unassign.value } as Selected),
    from.case && ({ kind: TARGET_KINDS[from.case], selection: from.value } as Selected),
    now,
  );

/** Reads both sides. Returns undefined for alarms, which this server doesn't have yet. */
async function readSides(
  tx: Tx,
  caller: Scope,
  assignedSide: Selected | undefined,
  targetSide: Selected | undefined,
  now: Date,
): Promise<Sides | undefined> {
  if (assignedSide === undefined || targetSide === undefined) {
    throw invalidArgument('Select the items on both sides of the assignment.');
  }
  for (const { kind } of [assignedSide, targetSide]) {
    const permission = PERMISSIONS[kind];
    if (permission !== undefined) caller.require(permission);
  }
  const devices = [assignedSide, targetSide].find((side) => side.kind === 'devices');
  const points = [assignedSide, targetSide].find((side) => side.kind === 'points');
  // The same link in both directions (contract: AssignmentService).
  if (devices && points) {
    return {
      type: AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE,
      points: await lockPoints(tx, deviceScope(caller), points.selection),
      numbers: await modemNumbers(tx, caller, devices.selection, now),
    };
  }
  if (assignedSide.kind === 'alarms') {
    const { identifiers } = assignedSide.selection;
    const names = summarizeList(identifiers.map((identifier) => `"${identifier}"`));
    if (identifiers.length > 0) throw notFound(`${caller.organization} has no alarm ${names}.`);
    return undefined;
  }
  if (targetSide.kind === 'tags') {
    const tags = await selectTags(tx, caller, targetSide.selection);
    if (assignedSide.kind === 'parsers') {
      const parsers = await selectParsers(tx, caller, assignedSide.selection);
      return { type: AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_TAG, parsers, tags };
    }
    if (assignedSide.kind === 'devices') {
      const numbers = await modemNumbers(tx, caller, assignedSide.selection, now);
      return { type: AssignmentType.ASSIGNS_MODEM_TO_TAG, numbers, tags };
    }
    if (assignedSide.kind === 'points') {
      const lockedPoints = await lockPoints(tx, deviceScope(caller), assignedSide.selection);
      return { type: AssignmentType.ASSIGNS_PROCESS_POINT_TO_TAG, points: lockedPoints, tags };
    }
  }
  if (assignedSide.kind === 'parsers' && targetSide.kind === 'devices') {
    return {
      type: AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_MODEM,
      parsers: await selectParsers(tx, caller, assignedSide.selection),
      numbers: await modemNumbers(tx, caller, targetSide.selection, now),
    };
  }
  throw invalidArgument(`${NAMES[assignedSide.kind]} can't be assigned to ${NAMES[targetSide.kind].toLowerCase()}.`);
}
