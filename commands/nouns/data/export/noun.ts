import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { deleteExport, extendExport, repeatExport } from './change.ts';
import { createExport, createValueExport } from './create.ts';
import { downloadExport, waitForExport } from './download.ts';
import { dataExport, entity } from './entity.ts';

export const noun: Noun = {
  entity,
  commands: [
    listCommand(dataExport),
    openCommand(dataExport),
    createExport,
    createValueExport,
    downloadExport,
    waitForExport,
    extendExport,
    repeatExport,
    deleteExport,
  ],
};
