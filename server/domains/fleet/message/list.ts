import { and, desc, eq, type SQL, sql } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import { countApproximately } from '#server/db/approximate-total.ts';
import { device } from '#server/db/schema/device.ts';
import { message } from '#server/db/schema/message.ts';
import { loadDeviceTags } from '#server/domains/fleet/device/model/subject.ts';
import type { EventTag } from '#server/events/new-event.ts';
import type { Page } from '#server/wire/pagination.ts';

import { openParsed } from './parsed.ts';
import type { ListedMessage } from './present.ts';

/** Joins each message with its device, which leaves out messages of deleted devices. */
export const withDevice = and(eq(device.organization, message.organization), eq(device.number, message.number));

interface MessagePage {
  /** The messages with their devices' tags, sorted by time sent, newest first. */
  readonly messages: readonly { message: ListedMessage; tags: EventTag[] }[];
  readonly total: number;
  readonly approximated: boolean;
}

/**
 * Lists a page of messages for MessageService.List and the older ModemService.Messages, which differ only in the form
 * of their requests and responses.
 */
export async function findMessages(
  { db: { orm }, secrets }: App,
  organization: string,
  where: SQL | undefined,
  requestedPage: Page,
): Promise<MessagePage> {
  const rows = await orm
    .select({ row: message, name: device.name, externalIds: device.externalIds, timeZone: device.timeZone })
    .from(message)
    .innerJoin(device, withDevice)
    .where(where)
    .orderBy(desc(message.sentAt), desc(message.id))
    .limit(requestedPage.limit)
    .offset(requestedPage.offset);
  const tags = await loadDeviceTags(orm, organization, [...new Set(rows.map(({ row }) => row.number))]);
  const from = sql`${message} join ${device} on ${withDevice} where ${where}`;
  const { total, approximated } = await countApproximately(orm, from, requestedPage, rows.length);
  const messages = rows.map(({ row, ...details }) => ({
    message: { ...details, row: { ...row, parsed: openParsed(secrets, row.parsed) } },
    tags: tags.get(row.number) ?? [],
  }));
  return { messages, total, approximated };
}
