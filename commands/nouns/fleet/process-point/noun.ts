import { importCommand } from '#commands/kit/import/import-command.ts';
import { listCommand, openCommand } from '#commands/kit/standard.ts';
import { valuesCommand } from '#commands/kit/values-command.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { assignDevice, assignPoint, unassignDevice, unassignPoint } from './assign-device.ts';
import { createPoint, deletePoint, duplicatePoint } from './create.ts';
import { editPoint, renamePoint } from './edit.ts';
import { entity, processPoint } from './entity.ts';
import { pointFileCommands } from './files.ts';
import { importAssignments } from './import-assignments.ts';
import { moveAssignment } from './move-assignment.ts';
import { setMetadata } from './set-metadata.ts';
import { showAssignments } from './show-assignments.ts';
import { tagPoints, untagPoints } from './tag.ts';
import { pointOwner } from './value-owner.ts';

export const noun: Noun = {
  entity,
  commands: [
    listCommand(processPoint),
    openCommand(processPoint),
    createPoint,
    editPoint,
    renamePoint,
    setMetadata,
    tagPoints,
    untagPoints,
    assignDevice,
    unassignDevice,
    assignPoint,
    unassignPoint,
    moveAssignment,
    importAssignments,
    showAssignments,
    ...pointFileCommands,
    duplicatePoint,
    importCommand({ entity: processPoint, create: createPoint, edit: editPoint }),
    deletePoint,
    valuesCommand({
      entity: processPoint,
      target: 'processPoints',
      requires: 'VIEW_POINT_VALUES',
      ownerOf: pointOwner,
    }),
  ],
};
