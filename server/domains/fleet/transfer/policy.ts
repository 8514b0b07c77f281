import { TransferService } from '#proto/gen/hiber/transfer_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const transferPolicy = rpcs(TransferService, {
  // Creating an organization in the process is only one way to transfer.
  transfer: change('TRANSFERS_SEND'),
  history: read('TRANSFERS'),
});
