import { create } from '@bufbuild/protobuf';

import { loadOrganizationNames } from '#commands/kit/organization-names.ts';
import type { Context } from '#commands/model/context.ts';
import type { ListResponse } from '#commands/run/paging.ts';
import {
  type TransferHistory_Request_TransferSelection as TransferSelection,
  TransferHistory_Request_TransferSelectionSchema,
  TransferService,
} from '#proto/gen/hiber/transfer_pb.ts';

import type { TransferItem } from './item.ts';

export type { TransferSelection };

/** Which of an organization's transfers to list. */
export type Direction = 'inbound' | 'outbound';

export const selectTransfers = (direction: Direction): TransferSelection =>
  create(
    TransferHistory_Request_TransferSelectionSchema,
    direction === 'inbound' ? { receivedOnly: true } : { sentOnly: true },
  );

export function loadTransfers(context: Context, selection: TransferSelection) {
  return async (pagination: { page?: number; size?: number }): Promise<ListResponse<TransferItem>> => {
    const request = { organization: context.organization.id, selection, pagination };
    const response = await context.api(TransferService).history(request, { signal: context.signal });
    const transfers = response.transferHistory;
    const ids = transfers.flatMap((transfer) => [transfer.senderOrganization, transfer.recipientOrganization]);
    const organizations = await loadOrganizationNames(context, ids);
    return { items: transfers.map((transfer) => ({ transfer, organizations })), pagination: response.pagination };
  };
}
