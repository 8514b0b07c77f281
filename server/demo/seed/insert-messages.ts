import { sql } from 'drizzle-orm';

import type { Tx } from '#server/db/database.ts';
import { message } from '#server/db/schema/message.ts';

import { bulkInsert } from './bulk-insert.ts';
import { buildMessages, type MessageRow, type planMessages } from './messages.ts';
import { DEMO_ORGANIZATION } from './people.ts';

/**
 * The number of messages of the demo organization beyond which each device gets fewer messages, but at least
 * `MIN_MESSAGES`: 100,000 devices have a million.
 */
const MAX_MESSAGES = 70_000;
const MIN_MESSAGES = 10;
/**
 * The minimum of parsed messages per device, as if a large fleet had received its parsers only recently: values take
 * several times as long to create as messages.
 */
const MIN_PARSED_MESSAGES = 3;
/** The messages per device in all other organizations. */
const OTHER_MESSAGES = { stored: 3, parsed: 3 };
/** Returns how many messages each device gets at most, given the size of the demo organization's fleet. */
export function messageLimits(maximum: number, devices: number): Parameters<typeof planMessages>[1] {
  const share = Math.min(maximum, Math.floor(MAX_MESSAGES / devices));
  const limits = {
    stored: Math.min(maximum, Math.max(MIN_MESSAGES, share)),
    parsed: Math.max(MIN_PARSED_MESSAGES, share),
  };
  return (organization) => (organization === DEMO_ORGANIZATION ? limits : OTHER_MESSAGES);
}

/** What later steps need to know of the messages, which are too many to keep. */
interface InsertedMessages {
  /** When each device sent its first parsed message. */
  readonly firstAt: ReadonlyMap<string, Date>;
  /** The messages that can't be parsed, oldest first. */
  readonly failures: readonly MessageRow[];
}

export async function insertMessages(
  tx: Tx,
  receipts: ReturnType<typeof planMessages>,
  parserOf: Parameters<typeof buildMessages>[1],
): Promise<InsertedMessages> {
  const firstAt = new Map<string, Date>();
  const failures: MessageRow[] = [];
  const rows = function* () {
    for (const row of buildMessages(receipts, parserOf)) {
      if (row.parsed && !firstAt.has(row.number)) firstAt.set(row.number, row.sentAt);
      if (row.parsed?.[0]?.error !== undefined) failures.push(row);
      yield row;
    }
  };
  await bulkInsert(tx, message, rows());
  await tx.execute(sql`select setval('message_id', ${Math.max(1, receipts.length)})`);
  return { firstAt, failures };
}
