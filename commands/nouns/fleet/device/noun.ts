import type { Noun } from '#commands/registry/registry.ts';
import { listCommand, openCommand } from '#commands/kit/standard.ts';
import { assign, unassign } from './assign-tag.ts';
import { createDevices } from './create.ts';
import { editing } from './edit.ts';
import { device } from './entity.ts';
import { deviceFields, type DeviceFieldName } from './fields.ts';
import { replaceBattery, setIdentifier } from './installation.ts';
import { lifecycleCounts } from './lifecycle-counts.ts';
import { setPeripherals } from './set-peripherals.ts';
import { sendTestMessage } from './test-message.ts';

export const deviceNoun: Noun = {
  entity: device,
  commands: [
    listCommand(device),
    openCommand(device),
    assign,
    unassign,
    editing({ verb: 'edit', keys: ['e'], fields: Object.keys(deviceFields) as DeviceFieldName[], asks: false }),
    editing({ verb: 'set-lifecycle', keys: ['l'], fields: ['lifecycle'], count: lifecycleCounts }),
    editing({ verb: 'rename', fields: ['name'] }),
    editing({ verb: 'set-notes', fields: ['notes'] }),
    editing({ verb: 'set-secure-notes', fields: ['secureNotes'] }),
    editing({ verb: 'set-time-zone', fields: ['timeZone'] }),
    editing({ verb: 'set-expected-rate', fields: ['expectedRate'] }),
    editing({ verb: 'set-interval', fields: ['interval'] }),
    setPeripherals,
    setIdentifier,
    replaceBattery,
    sendTestMessage,
    createDevices,
  ],
};
