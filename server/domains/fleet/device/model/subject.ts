import { and, eq, sql } from 'drizzle-orm';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { Tag } from '#proto/gen/hiber/tag_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { deviceTag, tag } from '#server/db/schema/tag.ts';
import { isHidden } from '#server/wire/lifecycles.ts';
import { groupBy } from '#server/base/group-by.ts';
import type { EventTag } from '#server/events/new-event.ts';

/** What every event about a device repeats of it. */
export interface DeviceSubject {
  readonly organization: string;
  readonly number: string;
  readonly name: string;
  /** First external identifier, or empty. */
  readonly identifier: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly tags: EventTag[];
  /** In a lifecycle that customers do not see. */
  readonly hidden: boolean;
  /** In any other lifecycle than INSTALLED. */
  readonly notInstalled?: boolean;
}

/** The columns of `device` that a subject is made of. */
export const subjectColumns = {
  number: device.number,
  name: device.name,
  externalIds: device.externalIds,
  timeZone: device.timeZone,
  lifecycle: device.lifecycle,
};

export type SubjectRow = Pick<typeof device.$inferSelect, keyof typeof subjectColumns>;

/**
 * The devices as they are now: load them after the change, in its transaction. Numbers that do not exist are left
 * out.
 */
export async function deviceSubjects(
  db: Executor,
  organization: string,
  numbers: readonly string[],
): Promise<Map<string, DeviceSubject>> {
  if (numbers.length === 0) return new Map();
  const rows = await db
    .select(subjectColumns)
    .from(device)
    .where(and(eq(device.organization, organization), sql`${device.number} = any(${sql.param([...numbers])}::text[])`));
  return subjectsOf(db, organization, rows);
}

/** As {@link deviceSubjects}, of devices that were read already, or that the change itself returned. */
export async function subjectsOf(
  db: Executor,
  organization: string,
  rows: readonly SubjectRow[],
): Promise<Map<string, DeviceSubject>> {
  const numbers = rows.map(({ number }) => number);
  const tags = await deviceTags(db, organization, numbers);
  return new Map(
    rows.map(({ number, name, externalIds, timeZone, lifecycle }) => [
      number,
      {
        organization,
        number,
        name,
        identifier: externalIds[0] ?? '',
        timeZone: timeZone ?? 'UTC',
        tags: tags.get(number) ?? [],
        hidden: isHidden(lifecycle),
        notInstalled: lifecycle !== Modem_Lifecycle.INSTALLED,
      },
    ]),
  );
}

/**
 * The tags of devices that have any, by device number; by name. Device by device and tag by tag, so that few names are
 * compared, and not all tags of the organization are read.
 */
export async function deviceTags(
  db: Executor,
  organization: string,
  numbers: readonly string[],
): Promise<Map<string, EventTag[]>> {
  const { rows } = await db.execute<EventTag & { number: string } & Record<string, unknown>>(sql`
    select ${deviceTag.number}, label.* from ${deviceTag}
     cross join lateral (
       select ${tag.id}, ${tag.name}, ${tag.type}, ${tag.priority} from ${tag}
        where ${tag.organization} = ${deviceTag.organization} and ${tag.id} = ${deviceTag.tag} limit 1
     ) as label
     where ${deviceTag.organization} = ${organization} and ${deviceTag.number} = any(${sql.param([...numbers])}::text[])
     order by ${deviceTag.number}, label.name, label.id`);
  return groupBy(rows, ({ number }) => number);
}

/** How a description names the device. */
export function describe({ name, number }: DeviceSubject): string {
  return name === number ? `Device ${number}` : `Device "${name}" (${number})`;
}

/** The envelope's part that follows from the device. */
export function deviceEnvelope(subject: DeviceSubject, time: Date, tags: Tag[]) {
  const { organization, number, name, identifier, timeZone, hidden, notInstalled } = subject;
  return { organization, time, zone: timeZone, tags, device: { number, name, identifier }, hidden, notInstalled };
}

/** Members that the details of device events share. */
export function deviceFields({ number, identifier }: DeviceSubject) {
  return { number, externalDeviceId: identifier };
}
