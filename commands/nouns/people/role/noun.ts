import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { entity, role } from './entity.ts';
import { restoreRoles, tryRoles } from './try.ts';

export const noun: Noun = {
  entity,
  commands: [listCommand(role), openCommand(role), tryRoles, restoreRoles],
};
