import { registry } from '#commands/nouns/all.ts';
import { destinationsOf, mayOpen, type Destination } from '#commands/registry/destinations.ts';
import type { Screen } from '#commands/model/screen.ts';

import type { Acting } from '#src/state/acting.ts';

const destinations = destinationsOf(registry);

/** The screen at a path, if it is one of this console's. */
export function destinationAt(path: string): Destination | undefined {
  return destinations.find(({ screen }) => screen.path === path);
}

/** A screen that an address belongs to, and the segments that follow its path: an item of it, something to do there. */
export interface ScreenAddress {
  readonly destination: Destination;
  readonly rest: readonly string[];
}

/**
 * The screen that an address leads to: at its own path or another name of it, above what the address goes on with, or
 * the first of the area that it names (`/developer-tools`) that is open to this person. `path` as the address bar has
 * it, escapes and all.
 */
export function screenAt(path: string, acting: Acting | undefined): ScreenAddress | undefined {
  const named = destinations.find(({ screen }) => namesOf(screen).includes(path));
  if (named) return { destination: named, rest: [] };
  const above = destinations.find(({ screen }) => path.startsWith(`${screen.path}/`));
  if (above) return { destination: above, rest: path.slice(above.screen.path.length + 1).split('/') };
  const inside = openTo(acting).find(({ screen }) => screen.path.startsWith(`${path}/`));
  return inside && { destination: inside, rest: [] };
}

function namesOf({ path, aliases = [] }: Screen): readonly string[] {
  return [path, ...aliases];
}

/** The screens that somebody may open, as the rail and the tabs list them. */
export function openTo(acting: Acting | undefined): readonly Destination[] {
  if (!acting) return [];
  return destinations.filter((destination) =>
    mayOpen(destination, acting.actor.abilities, acting.organization.features),
  );
}
