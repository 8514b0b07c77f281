import type { Noun } from '#commands/core/registry.ts';
import { listCommand, openCommand } from '#commands/core/standard.ts';
import { signIn } from './entity.ts';
import { revokeOthers, revokeSignIn } from './revoke.ts';

export const signInNoun: Noun = {
  entity: signIn,
  commands: [listCommand(signIn), openCommand(signIn), revokeSignIn, revokeOthers],
};
