import type { Noun } from '#commands/registry/registry.ts';

import { listValues } from './list.ts';

export const noun: Noun = { commands: [listValues] };
