import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { DeviceLifecycleInfo_ResponseSchema, type DeviceService } from '#proto/gen/hiber/device_pb.ts';
import type { App } from '#server/app.ts';
import { scope } from '#server/session/scope.ts';
import { visibleLifecycles } from './device/lifecycles.ts';
import { listDevices } from './device/list.ts';
import { deviceSettings } from './device/settings.ts';
import { updateDevices } from './device/update.ts';

export function deviceService(app: App): ServiceImpl<typeof DeviceService> {
  return {
    list: (request, context) => listDevices(app, scope(context), request),
    update: (request, context) => updateDevices(app, scope(context), request),
    lifecycles: (_request, context) =>
      create(DeviceLifecycleInfo_ResponseSchema, { lifecycles: visibleLifecycles(scope(context)) }),
    settings: (request, context) => deviceSettings(app, scope(context), request),
  };
}
