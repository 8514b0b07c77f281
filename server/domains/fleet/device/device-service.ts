import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';

import { DeviceLifecycleInfo_ResponseSchema, type DeviceService } from '#proto/gen/hiber/device_pb.ts';
import type { App } from '#server/app/app.ts';
import { scope } from '#server/session/scope.ts';

import { visibleLifecycles } from './lifecycles.ts';
import { listDevices } from './list-devices.ts';
import { listDeviceSettings } from './settings.ts';
import { updateDevices } from './update.ts';

export function deviceService(app: App): ServiceImpl<typeof DeviceService> {
  return {
    list: (request, context) => listDevices(app, scope(context), request),
    update: (request, context) => updateDevices(app, scope(context), request),
    lifecycles: (_request, context) =>
      create(DeviceLifecycleInfo_ResponseSchema, { lifecycles: visibleLifecycles(scope(context)) }),
    settings: (request, context) => listDeviceSettings(app, scope(context), request),
  };
}
