import { and, ne, sql } from 'drizzle-orm';

import type { UpdateDevice } from '#proto/gen/hiber/device_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { failedPrecondition } from '#server/wire/errors.ts';

import type { Changes } from './changes.ts';

/** A device before an update, reduced to the fields that the update and its events depend on. */
export interface DeviceBeforeUpdate extends Record<string, unknown> {
  readonly number: string;
  readonly name: string;
  readonly notes: string;
  /** Encrypted. */
  readonly secureNotes: string;
  readonly lifecycle: number;
  readonly externalIds: string[];
}

/** Enforces the rules for updating several devices together (contract: DeviceService.Update). */
export function checkBulkUpdate(
  update: UpdateDevice,
  changes: Changes,
  devices: readonly DeviceBeforeUpdate[],
  unsealNotes: (stored: string) => string,
): void {
  const selectionText = `${devices.length} devices are selected`;
  if (changes.name !== undefined && devices.length > 1 && !update.allowBulkRename) {
    throw failedPrecondition(`${selectionText}. Giving them all the same name requires allow_bulk_rename.`);
  }
  const differs = (value: (device: DeviceBeforeUpdate) => string) => new Set(devices.map(value)).size > 1;
  if (changes.notes !== undefined && !update.allowBulkNotes && differs(({ notes }) => notes)) {
    throw failedPrecondition(`${selectionText}, and their notes differ. Overwriting them requires allow_bulk_notes.`);
  }
  if (
    changes.secureNotes !== undefined &&
    !update.allowBulkSecureNotes &&
    differs(({ secureNotes }) => unsealNotes(secureNotes))
  ) {
    throw failedPrecondition(
      `${selectionText}, and their secure notes differ. Overwriting them requires allow_bulk_secure_notes.`,
    );
  }
  if (changes.externalId === undefined) return;
  if (devices.length > 1) {
    throw failedPrecondition(`${selectionText}. Set an external device identifier on only one device.`);
  }
  if (devices[0] && devices[0].externalIds.length > 0) {
    throw failedPrecondition(`Device ${devices[0].number} already has an external device identifier.`);
  }
}

/**
 * Rejects an identifier that a device in any organization uses, unless that device is decommissioned (contract: Modem
 * fields).
 */
export async function requireFreeIdentifier(tx: Tx, identifier: string): Promise<void> {
  const [existing] = await tx
    .select({ number: device.number })
    .from(device)
    .where(
      and(
        sql`${device.externalIds} && array[${identifier}]::text[]`,
        ne(device.lifecycle, Modem_Lifecycle.DECOMMISSIONED),
      ),
    )
    .limit(1);
  // The device may belong to another organization, so the message doesn't name it.
  if (existing) throw failedPrecondition(`The external device identifier "${identifier}" is already in use.`);
}
