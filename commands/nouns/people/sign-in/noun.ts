import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { signIn } from './entity.ts';
import { revokeOthers, revokeSignIn } from './revoke.ts';

export const signInNoun: Noun = {
  entity: signIn,
  commands: [listCommand(signIn), openCommand(signIn), revokeSignIn, revokeOthers],
};
