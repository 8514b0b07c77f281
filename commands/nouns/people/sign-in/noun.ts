import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { entity, signIn } from './entity.ts';
import { revokeOthers, revokeSignIn } from './revoke.ts';

export const noun: Noun = {
  entity,
  commands: [listCommand(signIn), openCommand(signIn), revokeSignIn, revokeOthers],
};
