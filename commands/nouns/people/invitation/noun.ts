import { importCommand } from '#commands/kit/import/import-command.ts';
import { listCommand, openCommand } from '#commands/kit/standard.ts';
import { inviteUsers } from '#commands/nouns/people/user/invite.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { entity, invitation } from './entity.ts';
import { inviteAgain } from './invite-again.ts';

export const noun: Noun = {
  entity,
  commands: [
    listCommand(invitation),
    openCommand(invitation),
    inviteAgain,
    importCommand({ entity: invitation, create: inviteUsers, each: 'emails' }),
  ],
};
