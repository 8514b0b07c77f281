import { sql } from 'drizzle-orm';

import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { Tag } from '#proto/gen/hiber/tag_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { isKeyOf, keyRowsIn } from '#server/db/key-rows.ts';
import { executePrepared } from '#server/db/prepared.ts';
import { device } from '#server/db/schema/device.ts';
import { deviceTag, tag } from '#server/db/schema/tag.ts';
import type { EventTag } from '#server/events/new-event.ts';
import { isHidden } from '#server/wire/lifecycles.ts';

/** The details of a device that are included in every event about it. */
export interface DeviceSubject {
  readonly organization: string;
  readonly number: string;
  readonly name: string;
  /** The first external identifier; empty if there is none. */
  readonly identifier: string;
  /** An IANA name. */
  readonly timeZone: string;
  readonly tags: EventTag[];
  /** True if the device is in a lifecycle hidden from customers. */
  readonly hidden: boolean;
  /** True in any lifecycle other than INSTALLED. */
  readonly notInstalled?: boolean;
}

/** The columns of `device` that make up a subject. */
export const subjectColumns = {
  number: device.number,
  name: device.name,
  externalIds: device.externalIds,
  timeZone: device.timeZone,
  lifecycle: device.lifecycle,
};

export type SubjectRow = Pick<typeof device.$inferSelect, keyof typeof subjectColumns>;

/**
 * Loads the devices in their current state. Call this after a change, in the same transaction. Leaves out numbers that
 * don't exist.
 */
export async function loadDeviceSubjects(
  db: Executor,
  organization: string,
  numbers: readonly string[],
): Promise<Map<string, DeviceSubject>> {
  if (numbers.length === 0) return new Map();
  const rows = await db
    .select(subjectColumns)
    .from(device)
    .innerJoin(sql`${keyRowsIn(organization, numbers)} as key (organization, number)`, isKeyOf(device))
    .prepare('device_subjects')
    .execute();
  return buildDeviceSubjects(db, organization, rows);
}

/** Like {@link loadDeviceSubjects}, for rows that the caller has already loaded. */
export async function buildDeviceSubjects(
  db: Executor,
  organization: string,
  rows: readonly SubjectRow[],
): Promise<Map<string, DeviceSubject>> {
  const numbers = rows.map(({ number }) => number);
  const tags = await loadDeviceTags(db, organization, numbers);
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

/** The order of the database's `und-x-icu`, which sorts a hundred tags in 4 ms; this takes a tenth of that. */
const nameOrder = new Intl.Collator('en');

interface TagRows extends Record<string, unknown> {
  /** The ids of tags by device number. */
  readonly links: Readonly<Record<string, readonly number[]>> | null;
  /** Each tag once. */
  readonly tags: readonly EventTag[] | null;
}

/**
 * Loads tags by device number, sorted by name. Omits devices without tags. Reads and sorts each tag once because many
 * devices share a few tags. Looks up the links of each device, so the query doesn't read all tags of the organization.
 */
export async function loadDeviceTags(
  db: Executor,
  organization: string,
  numbers: readonly string[],
): Promise<Map<string, EventTag[]>> {
  const { rows } = await executePrepared<TagRows>(
    db,
    sql`
    with link as materialized (
      select key.number, assigned.tag from unnest(${sql.param([...numbers])}::text[]) as key (number)
       cross join lateral (
         select ${deviceTag.tag} from ${deviceTag}
          where ${deviceTag.organization} = ${organization} and ${deviceTag.number} = key.number offset 0
       ) as assigned
    )
    select
      (select json_object_agg(number, tags) from (select number, json_agg(tag) as tags from link group by number) as item)
        as links,
      (select json_agg(label) from (select distinct tag from link) as used
        cross join lateral (
          select ${tag.id}, ${tag.name}, ${tag.type}, ${tag.priority} from ${tag}
           where ${tag.organization} = ${organization} and ${tag.id} = used.tag limit 1
        ) as label) as tags`,
  );
  const { links, tags } = rows[0] ?? {};
  const sortedTags = (tags ?? []).toSorted((a, b) => nameOrder.compare(a.name, b.name) || a.id - b.id);
  const positions = new Map(sortedTags.map(({ id }, position) => [id, position]));
  return new Map(
    Object.entries(links ?? {}).map(([number, ids]) => {
      const ownPositions = ids.flatMap((id) => positions.get(id) ?? []).sort((a, b) => a - b);
      return [number, ownPositions.flatMap((position) => sortedTags[position] ?? [])];
    }),
  );
}

/** Returns the device's name and number for an event's description. */
export function describeDevice({ name, number }: DeviceSubject): string {
  return name === number ? `Device ${number}` : `Device "${name}" (${number})`;
}

/** Returns the part of the envelope that is derived from the device. */
export function deviceEnvelope(subject: DeviceSubject, time: Date, tags: Tag[]) {
  const { organization, number, name, identifier, timeZone, hidden, notInstalled } = subject;
  return { organization, time, zone: timeZone, tags, device: { number, name, identifier }, hidden, notInstalled };
}

/** Returns the fields that the details of all events about a device have in common. */
export function deviceFields({ number, identifier }: DeviceSubject) {
  return { number, externalDeviceId: identifier };
}
