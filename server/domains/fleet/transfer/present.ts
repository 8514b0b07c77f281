import { create } from '@bufbuild/protobuf';

import { type Transfer, Transfer_Type, TransferSchema } from '#proto/gen/hiber/transfer_pb.ts';
import type { transfer } from '#server/db/schema/transfer.ts';
import { presentTimestamp } from '#server/wire/present.ts';

/** A transfer without the organization whose history it is in. */
export type TransferRow = Omit<typeof transfer.$inferSelect, 'organization'>;

export const presentTransfer = (row: TransferRow, numbers: readonly string[]): Transfer =>
  create(TransferSchema, {
    identifier: row.identifier,
    senderOrganization: row.sender,
    recipientOrganization: row.recipient,
    comment: row.comment,
    createdAt: presentTimestamp(row.createdAt),
    type: Transfer_Type.DEVICES,
    typed: { case: 'devices', value: { numbers: [...numbers] } },
  });
