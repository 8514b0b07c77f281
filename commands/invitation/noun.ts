import type { Noun } from '../core/registry.ts';
import { listCommand, openCommand } from '../core/standard.ts';
import { inviteAgain } from './again.ts';
import { invitation } from './entity.ts';

export const invitationNoun: Noun = {
  entity: invitation,
  commands: [listCommand(invitation), openCommand(invitation), inviteAgain],
};
