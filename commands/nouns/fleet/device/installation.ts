import { create } from '@bufbuild/protobuf';

import { bulkAction, send, type SendOptions } from '#commands/kit/bulk-action.ts';
import { command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { p, required } from '#commands/model/params.ts';
import { succeededResults } from '#commands/model/result.ts';
import { printTime, toSpan, toTimestamp } from '#commands/model/time.ts';
import { toMs } from '#commands/model/wire.ts';
import { firstDay, momentFormat } from '#commands/session/preferences.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message } from '#commands/text/message.ts';
import { formatMoment } from '#commands/text/moment.ts';
import { TimestampSchema } from '#proto/gen/hiber/base_pb.ts';

import { sendUpdate } from './edit.ts';
import { device } from './entity.ts';
import { organizationIdOf, type Device } from './item.ts';

const replacedAt = ({ modem }: Device): number | undefined => toMs(modem.connectedDeviceInfo?.lastBatteryReplacement);

function momentText(ms: number | undefined, { preferences }: Context): string | undefined {
  return ms === undefined ? undefined : formatMoment(ms, momentFormat(preferences));
}

/** Returns the time of the last replacement, as a command-line argument. */
const replacedAtArg = (item: Device): string | undefined => {
  const ms = replacedAt(item);
  return ms === undefined ? undefined : printTime(new Date(ms));
};

/** No device is older than this, so an earlier date is a typo. */
const EARLIEST_REPLACEMENT = '2000-01-01';

/**
 * Records when a battery was replaced. Undo restores the previous times, so it requires that all devices have one.
 */
export const replaceBattery = bulkAction({
  entity: device,
  verb: 'replace-battery',
  requires: 'EDIT_DEVICE',
  params: { at: p.time({ fallback: 'now', min: EARLIEST_REPLACEMENT, max: 'now' }) },
  change: (item, { at = 'now' }, context) => ({
    field: message('device:fields.battery'),
    before: momentText(replacedAt(item), context),
    after: momentText(toSpan(at, context.now(), firstDay(context.preferences)).from, context),
  }),
  reversible: (items) => items.every((item) => replacedAtArg(item) !== undefined),
  undo: (items) => {
    const groups = groupBy(items, replacedAtArg);
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
 * Sets the external identifier of a device, such as a MAC address. It can be set only once (contract: DeviceService).
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
    const [currentIdentifier] = devices.items[0]!.modem.externalDeviceIds;
    return currentIdentifier === undefined
      ? {}
      : { devices: message('device:validation.hasIdentifier', { identifier: currentIdentifier }) };
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
    const sendOptions: SendOptions<Device, string> = {
      organization: organizationIdOf,
      call: (callContext, items, value) =>
        sendUpdate(callContext, items, (update) => (update.setExternalDeviceIdentifier = value)),
    };
    const { results } = await send(context, device, sendOptions, devices.items, identifier);
    const label = device.label(devices.items[0]!);
    const isSet = succeededResults({ results }).length > 0;
    const doneMessage = isSet
      ? message('device:done.identifier', { label, identifier })
      : message('common:done.nothing');
    return { changed: ['device'], results, message: doneMessage };
  },
});
