import { importCommand } from '#commands/kit/import/import-command.ts';
import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { createTag, deleteTag } from './create.ts';
import { editTag, renameTag } from './edit.ts';
import { tag } from './entity.ts';
import { tagFileCommands } from './files.ts';
import { tagTabs } from './tabs.ts';

export const noun: Noun = {
  entity: { ...tag, detailTabs: tagTabs },
  commands: [
    listCommand(tag),
    openCommand(tag),
    createTag,
    editTag,
    renameTag,
    deleteTag,
    importCommand({ entity: tag, create: createTag, edit: editTag }),
    ...tagFileCommands,
  ],
};
