import { TransferService } from '#proto/gen/hiber/transfer_pb.ts';
import { service } from '#server/app/service.ts';
import { scope } from '#server/session/scope.ts';

import { listTransfers } from './history.ts';
import { transferDevices } from './transfer.ts';

export const transferService = service(TransferService, (app) => ({
  transfer: (request, context) => transferDevices(app, scope(context), request),
  history: (request, context) => listTransfers(app, scope(context), request),
}));
