import { create } from '@bufbuild/protobuf';

import { TimestampSchema } from '#proto/gen/hiber/base_pb.ts';
import { bulkAction, send, type Sending } from '#commands/kit/bulk-action.ts';
import { command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message } from '#commands/text/message.ts';
import { p, required } from '#commands/model/params.ts';
import { succeeded } from '#commands/model/result.ts';
import { formatMoment } from '#commands/text/moment.ts';
import { firstDay, momentFormat } from '#commands/session/preferences.ts';
import { printTime, spanOf, toTimestamp } from '#commands/model/time.ts';
import { msOf } from '#commands/model/wire.ts';
import { sendUpdate } from './edit.ts';
import { device } from './entity.ts';
import { organizationIdOf, type Device } from './item.ts';

const replacedAt = ({ modem }: Device): number | undefined => msOf(modem.connectedDeviceInfo?.lastBatteryReplacement);

function shownAt(at: number | undefined, { preferences }: Context): string | undefined {
  return at === undefined ? undefined : formatMoment(at, momentFormat(preferences));
}

/** As a line takes it. */
const before = (item: Device): string | undefined => {
  const at = replacedAt(item);
  return at === undefined ? undefined : printTime(new Date(at));
};

/** Logs when a battery was replaced. Undo logs the former time again, so it needs one. */
export const replaceBattery = bulkAction({
  of: device,
  verb: 'replace-battery',
  requires: 'EDIT_DEVICE',
  params: { at: p.time({ fallback: 'now', max: 'now' }) },
  change: (item, { at = 'now' }, context) => ({
    field: message('device:fields.battery'),
    before: shownAt(replacedAt(item), context),
    after: shownAt(spanOf(at, context.now(), firstDay(context.preferences)).from, context),
  }),
  reversible: (items) => items.every((item) => before(item) !== undefined),
  undo: (items) => {
    const groups = groupBy(items, before);
    if (groups.has(undefined)) return [];
    return [...groups].map(([at, group]) => ({
      id: 'device.replace-battery',
      args: { devices: { ids: group.map(device.id) }, at: at as string },
    }));
  },
  organization: organizationIdOf,
  call: (context, items, { at = 'now' }) => {
    const time = toTimestamp(at, context.now(), firstDay(context.preferences));
    return sendUpdate(context, items, (update) => (update.batteryReplacement = create(TimestampSchema, time)));
  },
});

/**
 * The identifier by which the field knows a device, a MAC address for example; it can be given once (contract:
 * DeviceService).
 */
export const setIdentifier = command({
  id: 'device.set-identifier',
  on: () => device,
  requires: 'EDIT_DEVICE',
  effect: 'write',
  params: { devices: p.many(() => device, { atMost: 1 }), identifier: required(p.text()) },
  positional: ['devices', 'identifier'],
  problems: (_context, { devices }) => {
    if (devices.items.length !== 1) return { devices: message('device:validation.oneDevice') };
    const [has] = devices.items[0]!.modem.externalDeviceIds;
    return has === undefined ? {} : { devices: message('device:validation.hasIdentifier', { identifier: has }) };
  },
  plan: async (_context, { devices, identifier }) => ({
    summary: message('device:plan.identifier', { label: device.label(devices.items[0]!), identifier }),
    count: 1,
    changes: devices.items.map((item) => ({
      id: device.id(item),
      label: device.label(item),
      field: message('device:fields.identifier'),
      before: undefined,
      after: identifier,
    })),
    reversible: false,
    confirm: identifier,
  }),
  run: async (context, { devices, identifier }) => {
    const sending: Sending<Device, string> = {
      organization: organizationIdOf,
      call: (inside, items, value) =>
        sendUpdate(inside, items, (update) => (update.setExternalDeviceIdentifier = value)),
    };
    const { results } = await send(context, device, sending, devices.items, identifier);
    const label = device.label(devices.items[0]!);
    const given = succeeded({ results }).length > 0;
    const text = given ? message('device:done.identifier', { label, identifier }) : message('common:done.nothing');
    return { changed: ['device'], results, message: text };
  },
});
