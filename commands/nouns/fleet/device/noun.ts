import { importCommand } from '#commands/kit/import/import-command.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { listCommand, openCommand } from '#commands/kit/standard.ts';
import { valuesCommand } from '#commands/kit/values-command.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { assign, unassign } from './assign-tag.ts';
import { createDevices } from './create.ts';
import { editDeviceCommand } from './edit.ts';
import { device } from './entity.ts';
import { deviceFileCommands } from './files.ts';
import { clearFirmware, downloadFirmware } from './firmware.ts';
import { replaceBattery, setIdentifier } from './installation.ts';
import { countLifecycles } from './lifecycle-counts.ts';
import { showLocations } from './locations/show.ts';
import { addNote } from './notes/add.ts';
import { editNote } from './notes/edit.ts';
import { showNotes } from './notes/show.ts';
import { setPeripherals } from './set-peripherals.ts';
import { deviceTabs } from './tabs.ts';
import { sendTestMessage } from './test-message.ts';
import { deviceOwner } from './value-owner.ts';

const editDevice = editDeviceCommand({ verb: 'edit', keys: [LETTERS.edit], prompts: false });

export const noun: Noun = {
  entity: { ...device, detailTabs: deviceTabs },
  commands: [
    listCommand(device),
    openCommand(device),
    assign,
    unassign,
    editDevice,
    editDeviceCommand({
      verb: 'set-lifecycle',
      keys: [LETTERS.lifecycle],
      fields: ['lifecycle'],
      count: countLifecycles,
    }),
    editDeviceCommand({ verb: 'rename', fields: ['name'] }),
    editDeviceCommand({ verb: 'set-notes', fields: ['notes'] }),
    editDeviceCommand({ verb: 'set-secure-notes', fields: ['secureNotes'] }),
    showLocations,
    showNotes,
    addNote,
    editNote,
    editDeviceCommand({ verb: 'set-time-zone', fields: ['timeZone'] }),
    editDeviceCommand({ verb: 'set-expected-rate', fields: ['expectedRate'] }),
    editDeviceCommand({ verb: 'set-interval', fields: ['interval'] }),
    setPeripherals,
    setIdentifier,
    replaceBattery,
    ...deviceFileCommands,
    downloadFirmware,
    clearFirmware,
    sendTestMessage,
    valuesCommand({ entity: device, target: 'devices', requires: 'VIEW_DEVICE_VALUES', ownerOf: deviceOwner }),
    createDevices,
    importCommand({ entity: device, edit: editDevice }),
  ],
};
