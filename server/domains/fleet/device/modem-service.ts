import { create } from '@bufbuild/protobuf';

import { ModemLifecycleInfo_ResponseSchema, ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { service } from '#server/app/service.ts';
import { scope } from '#server/session/scope.ts';

import { createModems } from './create.ts';
import { getModem } from './get.ts';
import { listGrouped } from './grouped.ts';
import { visibleLifecycles } from './lifecycles.ts';
import { listModems } from './list-modems.ts';
import { listModemMessages } from './messages.ts';
import { countTags } from './tag-count.ts';
import { updateModemTags } from './update-tags.ts';

/** Serves the devices of DeviceService under their former name, modems. */
export const modemService = service(ModemService, (app) => ({
  get: (request, context) => getModem(app, scope(context), request),
  create: (request, context) => createModems(app, scope(context), request),
  list: (request, context) => listModems(app, scope(context), request),
  grouped: (request, context) => listGrouped(app, scope(context), request),
  lifecycles: (_request, context) =>
    create(ModemLifecycleInfo_ResponseSchema, { lifecycles: visibleLifecycles(scope(context)) }),
  messages: (request, context) => listModemMessages(app, scope(context), request),
  updateTags: (request, context) => updateModemTags(app, scope(context), request),
  tagCount: (request, context) => countTags(app, scope(context), request),
}));
