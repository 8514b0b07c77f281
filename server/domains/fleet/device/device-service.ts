import { create } from '@bufbuild/protobuf';

import { DeviceLifecycleInfo_ResponseSchema, DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { service } from '#server/app/service.ts';
import { scope } from '#server/session/scope.ts';

import { visibleLifecycles } from './lifecycles.ts';
import { listDevices } from './list-devices.ts';
import { listDeviceSettings } from './settings.ts';
import { updateDevices } from './update.ts';

export const deviceService = service(DeviceService, (app) => ({
  list: (request, context) => listDevices(app, scope(context), request),
  update: (request, context) => updateDevices(app, scope(context), request),
  lifecycles: (_request, context) =>
    create(DeviceLifecycleInfo_ResponseSchema, { lifecycles: visibleLifecycles(scope(context)) }),
  settings: (request, context) => listDeviceSettings(app, scope(context), request),
}));
