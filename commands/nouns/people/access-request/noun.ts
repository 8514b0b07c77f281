import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { approve, reject } from './answer.ts';
import { accessRequest, entity } from './entity.ts';

export const noun: Noun = {
  entity,
  commands: [listCommand(accessRequest), openCommand(accessRequest), approve, reject],
};
