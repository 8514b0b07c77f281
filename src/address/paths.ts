import type { Screen } from '#commands/model/screen.ts';
import { destinationsOf, mayOpen, type Destination } from '#commands/registry/destinations.ts';
import { directory } from '#src/registry/registry.ts';
import type { UserSession } from '#src/state/user-session.ts';

// Built from the metadata of each noun, so a screen's address does not change when its declaration loads.
const destinations = destinationsOf(directory());

/** Returns the screen at a path, if it belongs to this console. */
export function destinationAt(path: string): Destination | undefined {
  return destinations.find(({ screen }) => screen.path === path);
}

/** A screen, and the remaining segments of the URL below it: an item, or an action. */
export interface ScreenAddress {
  readonly destination: Destination;
  readonly segments: readonly string[];
}

/**
 * Finds the screen for a path by its own path, an alias, or a prefix of the path. For an area (`/developer-tools`),
 * finds the first screen that the user may open. `path` is escaped, as in the address bar.
 */
export function screenAt(path: string, session: UserSession | undefined): ScreenAddress | undefined {
  const exact = destinations.find(({ screen }) => pathsOf(screen).includes(path));
  if (exact) return { destination: exact, segments: [] };
  const parent = destinations.find(({ screen }) => path.startsWith(`${screen.path}/`));
  if (parent) return { destination: parent, segments: path.slice(parent.screen.path.length + 1).split('/') };
  const child = accessibleDestinations(session).find(({ screen }) => screen.path.startsWith(`${path}/`));
  return child && { destination: child, segments: [] };
}

function pathsOf({ path, aliases = [] }: Screen): readonly string[] {
  return [path, ...aliases];
}

/** Returns the screens that the user may open, for the rail and the tabs. */
export function accessibleDestinations(session: UserSession | undefined): readonly Destination[] {
  if (!session) return [];
  return destinations.filter((destination) =>
    mayOpen(destination, session.actor.abilities, session.organization.features),
  );
}
