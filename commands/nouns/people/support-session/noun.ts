import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { supportSession } from './entity.ts';

export const supportSessionNoun: Noun = {
  entity: supportSession,
  commands: [listCommand(supportSession), openCommand(supportSession)],
};
