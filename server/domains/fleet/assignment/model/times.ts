import type { Timestamp } from '#proto/gen/hiber/base_pb.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { readTimestamp } from '#server/wire/timestamps.ts';

/** Reads when a new assignment begins and ends. Neither may be in the future (contract: AssignmentService). */
export function readAssignTimes(
  { overrideTime, endTime }: { readonly overrideTime?: Timestamp; readonly endTime?: Timestamp },
  now: Date,
): { readonly since: Date; readonly until: Date | null } {
  const since = readPastTime(overrideTime, now, 'override_time') ?? now;
  const until = readPastTime(endTime, now, 'end_time') ?? null;
  if (until !== null && until <= since) {
    throw invalidArgument(`end_time ${until.toISOString()} isn't after the start ${since.toISOString()}.`);
  }
  return { since, until };
}

/** Reads when an assignment ends. */
export const readUnassignTime = (overrideTime: Timestamp | undefined, now: Date): Date =>
  readPastTime(overrideTime, now, 'override_time') ?? now;

function readPastTime(timestamp: Timestamp | undefined, now: Date, field: string): Date | undefined {
  const time = readTimestamp(timestamp, now, field);
  if (time !== undefined && time > now) throw invalidArgument(`${field} ${time.toISOString()} is in the future.`);
  return time;
}
