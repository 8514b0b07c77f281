import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Orm } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { message } from '#server/db/schema/message.ts';
import type { EventTag } from '#server/events/new-event.ts';
import { deviceTags } from '#server/domains/fleet/device/model/subject.ts';
import { approximateTotal } from '#server/db/approximate-total.ts';
import type { Page } from '#server/wire/pagination.ts';
import type { FoundMessage } from './present.ts';

/** Every message belongs to a device; those of devices that are gone or hidden are not shown. */
export const withDevice = and(eq(device.organization, message.organization), eq(device.number, message.number));

interface FoundPage {
  /** Newest first by the time they were sent, each with the tags of its device. */
  readonly messages: readonly { found: FoundMessage; tags: EventTag[] }[];
  readonly total: number;
  readonly approximated: boolean;
}

/**
 * One page of messages. MessageService.List and the older ModemService.Messages differ only in how they ask and
 * present.
 */
export async function findMessages(
  orm: Orm,
  organization: string,
  where: SQL | undefined,
  asked: Page,
): Promise<FoundPage> {
  const rows = await orm
    .select({ row: message, name: device.name, externalIds: device.externalIds, timeZone: device.timeZone })
    .from(message)
    .innerJoin(device, withDevice)
    .where(where)
    .orderBy(desc(message.sentAt), desc(message.id))
    .limit(asked.limit)
    .offset(asked.offset);
  const tags = await deviceTags(orm, organization, [...new Set(rows.map(({ row }) => row.number))]);
  const from = sql`${message} join ${device} on ${withDevice} where ${where}`;
  const { total, approximated } = await approximateTotal(orm, from, asked, rows.length);
  return { messages: rows.map((found) => ({ found, tags: tags.get(found.row.number) ?? [] })), total, approximated };
}
