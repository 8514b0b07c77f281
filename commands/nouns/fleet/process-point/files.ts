import { fileCommands } from '#commands/kit/file-commands.ts';

import { sendUpdate } from './edit.ts';
import { processPoint } from './entity.ts';
import { organizationIdOf, type PointItem } from './item.ts';

export const pointFileCommands = fileCommands<PointItem>({
  entity: processPoint,
  target: 'processPoints',
  files: ({ point }) => point.files,
  requires: { attach: 'UPDATE_PROCESS_POINTS', detach: 'UPDATE_PROCESS_POINTS' },
  organization: organizationIdOf,
  update: (context, items, { add, remove }) =>
    sendUpdate(context, items, (update) => {
      update.addFiles = [...add];
      update.deleteFiles = [...remove];
    }),
});
