import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { checkParser } from './bench/check.ts';
import { testParser } from './bench/test-parser.ts';
import { entity, parser } from './entity.ts';

export const noun: Noun = {
  entity,
  commands: [listCommand(parser), openCommand(parser), testParser, checkParser],
};
