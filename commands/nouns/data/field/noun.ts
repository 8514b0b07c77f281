import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { createField, deleteField } from './create.ts';
import { editField } from './edit.ts';
import { entity, field } from './entity.ts';
import { addValue, editValue, removeValue } from './values.ts';

export const noun: Noun = {
  entity,
  commands: [
    listCommand(field),
    openCommand(field),
    createField,
    editField,
    addValue,
    editValue,
    removeValue,
    deleteField,
  ],
};
