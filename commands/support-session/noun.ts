import type { Noun } from '../core/registry.ts';
import { listCommand, openCommand } from '../core/standard.ts';
import { supportSession } from './entity.ts';

export const supportSessionNoun: Noun = {
  entity: supportSession,
  commands: [listCommand(supportSession), openCommand(supportSession)],
};
