import { sql } from 'drizzle-orm';

import type { Tx } from '#server/db/database.ts';
import { transfer, transferDevice } from '#server/db/schema/transfer.ts';
import type { EventTag } from '#server/events/new-event.ts';
import { recordEvents } from '#server/events/record.ts';

import { devicesTransferred } from './events.ts';
import type { TransferRow } from './present.ts';

export interface TransferredDevice {
  readonly number: string;
  /** True if it was in a lifecycle that is hidden from customers. */
  readonly hidden: boolean;
}

/**
 * Adds a transfer to the history and the events of both organizations.
 *
 * @param tags the tags that the devices had in the sender
 */
export async function recordTransfer(
  tx: Tx,
  row: TransferRow,
  devices: readonly TransferredDevice[],
  tags: readonly EventTag[],
): Promise<void> {
  for (const organization of [row.sender, row.recipient]) {
    await tx.insert(transfer).values({ organization, ...row });
    await tx.execute(sql`
      insert into ${transferDevice} (organization, transfer, number, hidden)
      select ${organization}, ${row.identifier}, number, hidden
        from unnest(${sql.param(devices.map(({ number }) => number))}::text[],
          ${sql.param(devices.map(({ hidden }) => hidden))}::boolean[]) as listed (number, hidden)`);
  }
  const visibleNumbers = devices.filter(({ hidden }) => !hidden).map(({ number }) => number);
  await recordEvents(tx, [
    devicesTransferred(row.sender, row, visibleNumbers, tags),
    devicesTransferred(row.recipient, row, visibleNumbers, []),
  ]);
}
