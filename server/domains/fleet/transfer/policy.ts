import { TransferService } from '#proto/gen/hiber/transfer_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const transferPolicy = rpcs(TransferService, {
  // ORGANIZATION_CREATE is required only for a transfer that also creates the recipient.
  transfer: change('TRANSFERS_SEND'),
  history: read('TRANSFERS'),
});
