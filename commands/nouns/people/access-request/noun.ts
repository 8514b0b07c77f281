import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { approve, reject } from './answer.ts';
import { accessRequest } from './entity.ts';

export const accessRequestNoun: Noun = {
  entity: accessRequest,
  commands: [listCommand(accessRequest), openCommand(accessRequest), approve, reject],
};
