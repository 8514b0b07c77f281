import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { entity, invitation } from './entity.ts';
import { inviteAgain } from './invite-again.ts';

export const noun: Noun = {
  entity,
  commands: [listCommand(invitation), openCommand(invitation), inviteAgain],
};
