import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { invitation } from './entity.ts';
import { inviteAgain } from './invite-again.ts';

export const invitationNoun: Noun = {
  entity: invitation,
  commands: [listCommand(invitation), openCommand(invitation), inviteAgain],
};
