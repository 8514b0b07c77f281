import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { assignToDevices, assignToTags, unassignFromDevices, unassignFromTags } from './assign.ts';
import { makeAvailable, makeUnavailable, setAvailability } from './availability.ts';
import { checkParser } from './bench/check.ts';
import { buildParser, openBench, writeParser } from './bench/open-bench.ts';
import { testParser } from './bench/test-parser.ts';
import { deleteParser } from './delete.ts';
import { editParser, renameParser } from './edit.ts';
import { entity, parser } from './entity.ts';
import { retryMessages } from './retry.ts';
import { createSimple, setSimpleFields } from './simple.ts';
import { duplicateParser, uploadParser } from './upload.ts';

export const noun: Noun = {
  entity,
  commands: [
    listCommand(parser),
    openCommand(parser),
    uploadParser,
    createSimple,
    editParser,
    renameParser,
    setSimpleFields,
    assignToDevices,
    unassignFromDevices,
    assignToTags,
    unassignFromTags,
    makeAvailable,
    makeUnavailable,
    setAvailability,
    retryMessages,
    duplicateParser,
    deleteParser,
    openBench,
    writeParser,
    buildParser,
    testParser,
    checkParser,
  ],
};
