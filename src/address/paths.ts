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

/** The screens of single items, by entity: the segment of the URL after the item's id (spec 2: `{id}/assign`). */
const ITEM_SCREENS: Readonly<Record<string, string>> = { 'process-point': 'assign' };

/** The screen of a single item, and the item's id. */
export interface ItemScreen {
  readonly destination: Destination;
  readonly entity: string;
  readonly id: string;
}

/** Returns the screen of a single item at a path. `path` is escaped, as in the address bar. */
export function itemScreenAt(path: string): ItemScreen | undefined {
  for (const destination of destinations) {
    const { screen, shows } = destination;
    const segment = 'entity' in shows ? ITEM_SCREENS[shows.entity.name] : undefined;
    if (segment === undefined || !('entity' in shows) || !path.startsWith(`${screen.path}/`)) continue;
    const [id = '', suffix, ...extra] = path.slice(screen.path.length + 1).split('/');
    if (suffix === segment && extra.length === 0) return { destination, entity: shows.entity.name, id: unescaped(id) };
  }
  return undefined;
}

function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    // The guard rejects a malformed segment.
    if (error instanceof URIError) return segment;
    throw error;
  }
}

/** Returns the path of an item's own screen, or undefined if its entity has none for this segment. */
export function itemScreenPath({ screen, shows }: Destination, segment: string, id: string): string | undefined {
  if (!('entity' in shows)) return undefined;
  const isOwn = segment === ITEM_SCREENS[shows.entity.name] || (screen.workbench === true && segment === 'update');
  return isOwn ? `${screen.path}/${encodeURIComponent(id)}/${segment}` : undefined;
}

/** The ways to create an item on a workbench, as the last segment of its path. */
const CREATE_VARIANTS: readonly string[] = ['simple'];

/** The screen on which an item of a list is created or updated. */
export interface WorkbenchAddress {
  readonly destination: Destination;
  /** Undefined to create an item. */
  readonly id: string | undefined;
  /** How to create an item, if there are several ways: `simple` in `parsers/create/simple`. */
  readonly variant?: string;
}

/** Returns the workbench at a path, unescaped, if the screen above it has one. */
export function workbenchAt(path: string): WorkbenchAddress | undefined {
  const destination = destinations.find(({ screen }) => screen.workbench && path.startsWith(`${screen.path}/`));
  if (!destination) return undefined;
  const rest = path.slice(destination.screen.path.length + 1);
  const variant = CREATE_VARIANTS.find((name) => rest === `create/${name}`);
  if (variant !== undefined) return { destination, id: undefined, variant };
  if (rest === 'create') return { destination, id: undefined };
  const [, id] = /^(.+)\/update$/.exec(rest) ?? [];
  return id === undefined ? undefined : { destination, id };
}

/** Returns the screen that a path belongs to: the one at the path, or the list above the screen of an item. */
export function destinationAround(path: string): Destination | undefined {
  return destinationAt(path) ?? workbenchAt(path)?.destination ?? itemScreenAt(path)?.destination;
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
