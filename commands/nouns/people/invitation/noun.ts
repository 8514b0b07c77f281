import type { Noun } from '#commands/registry/registry.ts';
import { listCommand, openCommand } from '#commands/kit/standard.ts';
import { inviteAgain } from './again.ts';
import { invitation } from './entity.ts';

export const invitationNoun: Noun = {
  entity: invitation,
  commands: [listCommand(invitation), openCommand(invitation), inviteAgain],
};
