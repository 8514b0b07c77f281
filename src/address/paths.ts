import type { ItemScreen, Screen } from '#commands/model/screen.ts';
import { listDestinations, mayOpen, type Destination } from '#commands/registry/destinations.ts';
import { directory } from '#src/registry/registry.ts';
import type { UserSession } from '#src/state/user-session.ts';

// Built from the metadata of each noun, so a screen's address does not change when its declaration loads.
const destinations = listDestinations(directory());

/** The suffix of the URL that creates an item. */
export const CREATE = 'create';

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
  const exactMatch = destinations.find(({ screen }) => pathsOf(screen).includes(path));
  if (exactMatch) return { destination: exactMatch, segments: [] };
  const parent = destinations.find(({ screen }) => path.startsWith(`${screen.path}/`));
  if (parent) return { destination: parent, segments: path.slice(parent.screen.path.length + 1).split('/') };
  const isChild = ({ screen }: Destination): boolean => screen.path.startsWith(`${path}/`);
  // Without access to any of them, the first one explains which permission is missing.
  const child = accessibleDestinations(session).find(isChild) ?? destinations.find(isChild);
  return child && { destination: child, segments: [] };
}

/** A screen for creating or changing a single item. */
export interface ItemScreenAddress {
  readonly destination: Destination;
  readonly shows: ItemScreen;
  /** Undefined to create an item. */
  readonly id: string | undefined;
}

/** Returns the screen of a single item at a path, which is unescaped. */
export function itemScreenAt(path: string): ItemScreenAddress | undefined {
  const destination = destinations.find(({ screen }) => screen.itemScreens && path.startsWith(`${screen.path}/`));
  if (!destination) return undefined;
  const rest = path.slice(destination.screen.path.length + 1);
  const created = rest.split('/')[0] === CREATE ? itemScreenOf(destination, rest) : undefined;
  if (created) return { destination, shows: created, id: undefined };
  const [, id, suffix = ''] = /^(.+)\/([^/]+)$/.exec(rest) ?? [];
  const shows = suffix === CREATE ? undefined : itemScreenOf(destination, suffix);
  return shows && { destination, shows, id };
}

/** Returns the path of an item's own screen, or undefined if its entity has none for this suffix. */
export function itemScreenPath(destination: Destination, suffix: string, id: string): string | undefined {
  const { path } = destination.screen;
  return itemScreenOf(destination, suffix) && `${path}/${encodeURIComponent(id)}/${suffix}`;
}

/** Returns the screen that the entity declares for the suffix of a URL. */
export function itemScreenOf({ screen: { itemScreens = {} } }: Destination, suffix: string): ItemScreen | undefined {
  return Object.hasOwn(itemScreens, suffix) ? itemScreens[suffix] : undefined;
}

/** Returns the screen that a path belongs to: the one at the path, or the list above the screen of an item. */
export function destinationAround(path: string): Destination | undefined {
  return destinationAt(path) ?? itemScreenAt(path)?.destination;
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
