import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { entity, transfer } from './entity.ts';
import { startTransfer, startTransferToNew } from './start.ts';

export const noun: Noun = {
  entity,
  commands: [listCommand(transfer), openCommand(transfer), startTransfer, startTransferToNew],
};
