import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { createToken, revokeToken } from './create.ts';
import { editToken } from './edit.ts';
import { entity, token } from './entity.ts';
import { setPermissions, setRoles, setUserPermissions } from './grants.ts';

export const noun: Noun = {
  entity,
  commands: [
    listCommand(token),
    openCommand(token),
    createToken,
    editToken,
    setPermissions,
    setUserPermissions,
    setRoles,
    revokeToken,
  ],
};
