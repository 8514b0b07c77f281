import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { showActivity } from './activity.ts';
import { createUser } from './create.ts';
import { entity, user } from './entity.ts';
import { inviteUsers } from './invite.ts';
import { removeUser } from './remove.ts';
import { roleCommands } from './roles.ts';
import { rulesPage } from './rules-page.ts';
import { setSignInRules, testSignInRules } from './sign-in-rules.ts';
import { statusCommands } from './status.ts';

export const noun: Noun = {
  entity,
  pages: [rulesPage],
  commands: [
    listCommand(user),
    openCommand(user),
    inviteUsers,
    createUser,
    ...roleCommands,
    ...statusCommands,
    showActivity,
    removeUser,
    setSignInRules,
    testSignInRules,
  ],
};
