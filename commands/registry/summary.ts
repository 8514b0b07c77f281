import type { CommandMetadata } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';

import { listDestinations, type Destination } from './destinations.ts';
import type { Directory } from './directory.ts';

/**
 * A summary of the registry for commands that work with any noun, such as moves in a table or the choice of a default
 * screen.
 */
export interface RegistrySummary {
  readonly entityNames: readonly string[];
  /** The names of the entities with an edit form. */
  readonly editableEntities: readonly string[];
  readonly destinations: readonly Destination[];
  /** The declaration of an entity, if it has loaded. The entities of the visible table and panel are always loaded. */
  entity(name: string): AnyEntity | undefined;
  /** The metadata of a command. */
  command(id: string): CommandMetadata | undefined;
}

export function summarizeDirectory(directory: Directory, entity: RegistrySummary['entity']): RegistrySummary {
  const entityNames = directory.entities.map(({ name }) => name);
  const editors = new Set(directory.commands.filter(({ verb }) => verb === 'edit').map(({ noun }) => noun));
  return {
    entityNames,
    editableEntities: entityNames.filter((name) => editors.has(name)),
    destinations: listDestinations(directory),
    entity,
    command: (id) => directory.command(id),
  };
}
