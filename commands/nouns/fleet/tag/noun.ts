import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { createTag, deleteTag } from './create.ts';
import { editTag, renameTag } from './edit.ts';
import { entity, tag } from './entity.ts';

export const noun: Noun = {
  entity,
  commands: [listCommand(tag), openCommand(tag), createTag, editTag, renameTag, deleteTag],
};
