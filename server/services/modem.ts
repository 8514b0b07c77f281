import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { ModemLifecycleInfo_ResponseSchema, type ModemService } from '#proto/gen/hiber/modem_pb.ts';
import type { App } from '#server/app.ts';
import { scope } from '#server/session/scope.ts';
import { visibleLifecycles } from './device/lifecycles.ts';
import { createModems } from './modem/create.ts';
import { getModem } from './modem/get.ts';
import { listGrouped } from './modem/grouped.ts';
import { listModems } from './modem/list.ts';
import { listModemMessages } from './modem/messages.ts';
import { countTags } from './modem/tag-count.ts';
import { updateModemTags } from './modem/update-tags.ts';

/** Devices under their historic name; the same ones that DeviceService serves. */
export function modemService(app: App): ServiceImpl<typeof ModemService> {
  return {
    get: (request, context) => getModem(app, scope(context), request),
    create: (request, context) => createModems(app, scope(context), request),
    list: (request, context) => listModems(app, scope(context), request),
    grouped: (request, context) => listGrouped(app, scope(context), request),
    lifecycles: (_request, context) =>
      create(ModemLifecycleInfo_ResponseSchema, { lifecycles: visibleLifecycles(scope(context)) }),
    messages: (request, context) => listModemMessages(app, scope(context), request),
    updateTags: (request, context) => updateModemTags(app, scope(context), request),
    tagCount: (request, context) => countTags(app, scope(context), request),
  };
}
