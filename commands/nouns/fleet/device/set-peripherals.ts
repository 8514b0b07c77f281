import { create } from '@bufbuild/protobuf';

import {
  UpdateDevice_UpdatePeripherals_PartialSchema,
  UpdateDevice_UpdatePeripheralsSchema,
} from '#proto/gen/hiber/device_pb.ts';
import { send, type Sending } from '#commands/kit/bulk-action.ts';
import { command } from '#commands/model/command.ts';
import { editDone, editPlan } from '#commands/kit/edit-command.ts';
import { restore, split, type Wanted } from '#commands/kit/editing.ts';
import { message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';
import { sendUpdate } from './edit.ts';
import { device } from './entity.ts';
import { deviceFields, type DeviceField } from './fields.ts';
import { organizationIdOf, type Device } from './item.ts';
import { peripheralsOf, type Peripherals } from './peripherals.ts';

interface Asked {
  readonly add: Peripherals | undefined;
  readonly remove: readonly string[] | undefined;
}

/** The field of all peripherals, where a value adds to what is there and some names go. */
function changing({ remove = [] }: Asked): Readonly<Record<string, DeviceField>> {
  const after: DeviceField['after'] = (item, add) => {
    const all = { ...peripheralsOf(item), ...(add as Peripherals) };
    return Object.fromEntries(Object.entries(all).filter(([name]) => !remove.includes(name)));
  };
  return { peripherals: { ...deviceFields.peripherals, after } };
}

const wantedOf = ({ add = {} }: Asked): Wanted => ({ peripherals: add });

export const setPeripherals = command({
  id: 'device.set-peripherals',
  on: () => device,
  requires: 'EDIT_DEVICE',
  effect: 'write',
  params: { devices: p.many(() => device), add: p.pairs(), remove: p.words() },
  positional: ['devices'],
  problems: (_context, { add = {}, remove = [] }) => {
    const both = remove.find((name) => Object.hasOwn(add, name));
    if (both !== undefined) return { remove: message('device:validation.addAndRemove', { name: both }) };
    return Object.keys(add).length + remove.length === 0 ? { add: message('core:validation.required') } : {};
  },
  plan: async (_context, args) => editPlan(device, changing(args), wantedOf(args), args.devices.items),
  run: async (context, args) => {
    const { changing: items } = split(changing(args), wantedOf(args), args.devices.items);
    const partial = create(UpdateDevice_UpdatePeripherals_PartialSchema, {
      addPeripherals: { ...args.add },
      removePeripherals: [...(args.remove ?? [])],
    });
    const sending: Sending<Device, typeof partial> = {
      organization: organizationIdOf,
      call: (inside, chunk, value) =>
        sendUpdate(inside, chunk, (update) => {
          const replace = { case: 'partialUpdate', value } as const;
          update.peripherals = create(UpdateDevice_UpdatePeripheralsSchema, { replace });
        }),
    };
    const { results } = await send(context, device, sending, items, partial);
    return { changed: ['device'], results, message: editDone(device, changing(args), wantedOf(args), results) };
  },
  inverse: (args, outcome) => {
    const how = { id: 'device.edit', target: 'devices', wanted: wantedOf(args) };
    return restore(device, changing(args), how, args.devices.items, outcome);
  },
});
