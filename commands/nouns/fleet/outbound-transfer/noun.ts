import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { entity, outboundTransfer } from './entity.ts';

export const noun: Noun = {
  entity,
  commands: [listCommand(outboundTransfer), openCommand(outboundTransfer)],
};
