import { create } from '@bufbuild/protobuf';

import { send, type SendOptions } from '#commands/kit/bulk-action.ts';
import { completedEditMessage, editPlan } from '#commands/kit/edit-plan.ts';
import { restore, splitUnchanged, type NewValues } from '#commands/kit/editing.ts';
import { command } from '#commands/model/command.ts';
import { p } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';
import {
  UpdateDevice_UpdatePeripherals_PartialSchema,
  UpdateDevice_UpdatePeripheralsSchema,
} from '#proto/gen/hiber/device_pb.ts';

import { sendUpdate } from './edit.ts';
import { device } from './entity.ts';
import { deviceFields, type DeviceField } from './fields.ts';
import { organizationIdOf, type Device } from './item.ts';
import { peripheralsOf, type Peripherals } from './peripherals.ts';

interface PeripheralChange {
  readonly add: Peripherals | undefined;
  readonly remove: readonly string[] | undefined;
}

/** Returns the peripherals field for a command that adds to the current peripherals and removes some by name. */
function peripheralsField({ remove = [] }: PeripheralChange): Readonly<Record<string, DeviceField>> {
  const after: DeviceField['after'] = (item, add) => {
    const peripherals = { ...peripheralsOf(item), ...(add as Peripherals) };
    return Object.fromEntries(Object.entries(peripherals).filter(([name]) => !remove.includes(name)));
  };
  return { peripherals: { ...deviceFields.peripherals, after } };
}

const toNewValues = ({ add = {} }: PeripheralChange): NewValues => ({ peripherals: add });

export const setPeripherals = command({
  id: 'device.set-peripherals',
  on: () => device,
  requires: 'EDIT_DEVICE',
  effect: 'write',
  params: { devices: p.many(() => device), add: p.pairs(), remove: p.words() },
  positional: ['devices'],
  problems: (_context, { add = {}, remove = [] }) => {
    const conflict = remove.find((name) => Object.hasOwn(add, name));
    if (conflict !== undefined) return { remove: message('device:validation.addAndRemove', { name: conflict }) };
    return Object.keys(add).length + remove.length === 0 ? { add: message('core:validation.required') } : {};
  },
  plan: async (_context, args) => editPlan(device, peripheralsField(args), toNewValues(args), args.devices.items),
  run: async (context, args) => {
    const { itemsToChange: items } = splitUnchanged(peripheralsField(args), toNewValues(args), args.devices.items);
    const partialUpdate = create(UpdateDevice_UpdatePeripherals_PartialSchema, {
      addPeripherals: { ...args.add },
      removePeripherals: [...(args.remove ?? [])],
    });
    const sendOptions: SendOptions<Device, typeof partialUpdate> = {
      organization: organizationIdOf,
      call: (callContext, chunk, value) =>
        sendUpdate(callContext, chunk, (update) => {
          const replace = { case: 'partialUpdate', value } as const;
          update.peripherals = create(UpdateDevice_UpdatePeripheralsSchema, { replace });
        }),
    };
    const { results } = await send(context, device, sendOptions, items, partialUpdate);
    return {
      changed: ['device'],
      results,
      message: completedEditMessage(device, peripheralsField(args), toNewValues(args), results),
    };
  },
  inverse: (args, outcome) => {
    const edit = { id: 'device.edit', target: 'devices', newValues: toNewValues(args) };
    return restore(device, peripheralsField(args), edit, args.devices.items, outcome);
  },
});
