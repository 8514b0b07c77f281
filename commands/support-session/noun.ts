import type { Noun } from '#commands/core/registry.ts';
import { listCommand, openCommand } from '#commands/core/standard.ts';
import { supportSession } from './entity.ts';

export const supportSessionNoun: Noun = {
  entity: supportSession,
  commands: [listCommand(supportSession), openCommand(supportSession)],
};
