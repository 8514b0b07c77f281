import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { entity, parser } from './entity.ts';

export const noun: Noun = {
  entity,
  commands: [listCommand(parser), openCommand(parser)],
};
