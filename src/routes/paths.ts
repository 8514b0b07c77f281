import { registry } from '#commands/all';
import { destinationsOf, mayOpen, type Destination } from '#commands/core/destinations';
import type { AnyEntity } from '#commands/core/entity';

import type { Acting } from '../state/acting.ts';

const destinations = destinationsOf(registry);

/** The screen at a path, if it is one of this console's. */
export function destinationAt(path: string): Destination | undefined {
  return destinations.find(({ screen }) => screen.path === path);
}

/** The path that an address leads to: its own, or that of the screen it is another name of; undefined where there is no screen. */
export function screenPath(path: string): string | undefined {
  const of = (known: Destination): boolean =>
    known.screen.path === path || (known.screen.aliases as readonly string[] | undefined)?.includes(path) === true;
  return destinations.find(of)?.screen.path;
}

/** The entity whose screen is at a path, if it is one of this console's. */
export function entityAt(path: string): AnyEntity | undefined {
  const shows = destinationAt(path)?.shows;
  return shows && 'entity' in shows ? shows.entity : undefined;
}

/** The screens that somebody may open, as the rail and the tabs list them. */
export function openTo(acting: Acting | undefined): readonly Destination[] {
  if (!acting) return [];
  return destinations.filter((each) => mayOpen(each, acting.actor.abilities, acting.organization.features));
}

/** Where people land when they name no screen: their own choice (spec 3: defaultScreen) if this console has it, else the devices. */
export function homePath(preferences: Readonly<Record<string, unknown>> | undefined): string {
  const wanted = preferences?.['defaultScreen'];
  return typeof wanted === 'string' && destinationAt(wanted) ? wanted : '/devices';
}
