import { fileCommands } from '#commands/kit/file-commands.ts';
import { filesTab } from '#commands/kit/files-tab.ts';

import { sendUpdate } from './edit.ts';
import { device } from './entity.ts';
import { organizationIdOf, type Device } from './item.ts';
import { loadNoteFiles } from './notes/note.ts';

const files = ({ modem }: Device) => modem.files;

export const deviceFileCommands = fileCommands<Device>({
  entity: device,
  files,
  otherFiles: loadNoteFiles,
  requires: {
    attach: ['EDIT_DEVICE', 'MODEMS_UPDATE_FILES'],
    detach: ['EDIT_DEVICE', 'MODEMS_UPDATE_FILES'],
  },
  organization: organizationIdOf,
  update: (context, items, { add, remove }) =>
    sendUpdate(context, items, (update) => {
      update.addFiles = [...add];
      update.deleteFiles = [...remove];
    }),
});

export const deviceFiles = filesTab<Device>({ entity: 'device', target: 'devices', id: device.id, files });
