import type { Noun } from '../core/registry.ts';
import { listCommand, openCommand } from '../core/standard.ts';
import { approve, reject } from './answer.ts';
import { accessRequest } from './entity.ts';

export const accessRequestNoun: Noun = {
  entity: accessRequest,
  commands: [listCommand(accessRequest), openCommand(accessRequest), approve, reject],
};
