import type { Noun } from '../core/registry.ts';
import { listCommand, openCommand } from '../core/standard.ts';
import { visit } from './entity.ts';

export const visitNoun: Noun = { entity: visit, commands: [listCommand(visit), openCommand(visit)] };
