/** Reads what to export from a request. */
import { create } from '@bufbuild/protobuf';
import { and, eq, inArray, sql } from 'drizzle-orm';

import type { Export_Configuration } from '#proto/gen/hiber/export_pb.ts';
import { ProcessPointSelectionSchema } from '#proto/gen/hiber/process_point_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { processPointDevice } from '#server/db/schema/process-point.ts';
import { findVisibleNumbers, missingDevicesError } from '#server/domains/fleet/device/model/included-devices.ts';
import { deviceNumber } from '#server/domains/fleet/device/model/number.ts';
import { deviceScope } from '#server/domains/fleet/device/model/where.ts';
import { requireNamedPoints } from '#server/domains/fleet/process-point/model/where.ts';
import type { Scope } from '#server/session/scope.ts';
import { readDuration } from '#server/wire/durations.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { hiddenLifecycles } from '#server/wire/lifecycles.ts';
import { durationText } from '#server/wire/present.ts';
import { readTimeRange } from '#server/wire/timestamps.ts';

import { DEFAULT_EXPIRY, MAX_EXPIRY, MAX_OWNERS, MIN_EXPIRY } from './limits.ts';
import type { dataExport } from './schema.ts';

/** The owners of exported data: devices for messages, or process points for values. */
export interface Owners {
  readonly kind: 'messages' | 'values';
  /** Without duplicates, in the order of the request. */
  readonly owners: string[];
}

type Content = Pick<Export_Configuration, 'type'>['type'];

/** Returns the owners that a configuration names. Assets are the older form of process points. */
export function ownersOf({ case: type, value }: Content): Owners | undefined {
  switch (type) {
    case 'modemMessage':
      return { kind: 'messages', owners: [...new Set(value.modems.map(deviceNumber))] };
    case 'assetValues':
      return { kind: 'values', owners: [...new Set(value.assetIdentifiers)] };
    case 'processPointValues':
      return { kind: 'values', owners: [...new Set(value.processPointIdentifiers)] };
    default:
      return undefined;
  }
}

/**
 * Checks that the caller may read the owners' data, and that the owners exist.
 *
 * @throws ConnectError PERMISSION_DENIED or NOT_FOUND
 */
export async function requireOwners(db: Executor, caller: Scope, { kind, owners }: Owners): Promise<void> {
  const scope = deviceScope(caller);
  if (kind === 'messages') {
    const error = missingDevicesError(scope, owners, await findVisibleNumbers(db, scope, owners));
    if (error !== undefined) throw error;
  } else await requireNamedPoints(db, scope, create(ProcessPointSelectionSchema, { identifiers: owners }));
}

type Columns = Pick<
  typeof dataExport.$inferInsert,
  'kind' | 'owners' | 'rangeStart' | 'rangeEnd' | 'expiresIn' | 'hidden'
>;

/** The permission to read what an export contains (contract: ExportService). */
export const CONTENT_PERMISSIONS = { messages: 'MODEM_MESSAGES', values: 'PROCESS_POINTS_VALUES' } as const;

/**
 * Reads the configuration of a new export. Its owners have to be named, because an export of a whole fleet is rarely
 * intended (not specified in the contract). A range without an end ends now.
 *
 * @throws ConnectError INVALID_ARGUMENT, PERMISSION_DENIED, or NOT_FOUND
 */
export async function readConfiguration(
  db: Executor,
  caller: Scope,
  configuration: Export_Configuration | undefined,
  now: Date,
): Promise<Columns> {
  const { type, expiresIn } = configuration ?? {};
  const content = type === undefined ? undefined : ownersOf(type);
  if (content === undefined || type?.value === undefined) {
    throw invalidArgument('Specify what to export: messages of devices, or values of process points.');
  }
  caller.require(CONTENT_PERMISSIONS[content.kind]);
  if (content.owners.length === 0) {
    const owners = content.kind === 'messages' ? 'devices whose messages' : 'process points whose values';
    throw invalidArgument(`List the ${owners} to export.`);
  }
  if (content.owners.length > MAX_OWNERS) {
    throw invalidArgument(
      `An export can have at most ${MAX_OWNERS} ${content.kind === 'messages' ? 'devices' : 'process points'}, ` +
        `not ${content.owners.length}. Split it.`,
    );
  }
  await requireOwners(db, caller, content);
  const { start, end = now } = readTimeRange(type.value.timeRange, now, 'configuration.time_range');
  if (start !== undefined && start > end) throw invalidArgument('The time range starts in the future.');
  return {
    ...content,
    rangeStart: start ?? null,
    rangeEnd: end,
    expiresIn: readExpiry(expiresIn),
    hidden: caller.allLifecycles && (await hasHiddenDevices(db, caller.organization, content)),
  };
}

function readExpiry(duration: Export_Configuration['expiresIn']): number {
  const seconds = readDuration(duration, 'configuration.expires_in') || DEFAULT_EXPIRY;
  if (seconds >= MIN_EXPIRY && seconds <= MAX_EXPIRY) return Math.round(seconds);
  throw invalidArgument(
    `An export can be kept for ${durationText(MIN_EXPIRY)} to ${durationText(MAX_EXPIRY)}, not ${durationText(seconds)}.`,
  );
}

/** True if any of the devices is in a lifecycle hidden from customers. */
async function hasHiddenDevices(db: Executor, organization: string, { kind, owners }: Owners): Promise<boolean> {
  const numbers =
    kind === 'messages'
      ? anyOf(device.number, owners)
      : sql`${device.number} in (select ${processPointDevice.number} from ${processPointDevice}
          where ${and(eq(processPointDevice.organization, organization), anyOf(processPointDevice.point, owners))})`;
  const rows = await db
    .select({ number: device.number })
    .from(device)
    .where(and(eq(device.organization, organization), inArray(device.lifecycle, [...hiddenLifecycles]), numbers))
    .limit(1);
  return rows.length > 0;
}
