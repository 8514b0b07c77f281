import type { Noun } from '#commands/core/registry.ts';
import { listCommand, openCommand } from '#commands/core/standard.ts';
import { role } from './entity.ts';
import { restoreRoles, tryRoles } from './try.ts';

export const roleNoun: Noun = {
  entity: role,
  commands: [listCommand(role), openCommand(role), tryRoles, restoreRoles],
};
