import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { role } from './entity.ts';
import { restoreRoles, tryRoles } from './try.ts';

export const roleNoun: Noun = {
  entity: role,
  commands: [listCommand(role), openCommand(role), tryRoles, restoreRoles],
};
