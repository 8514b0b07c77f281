import type { Ability } from '#commands/model/ability.ts';
import { entityLabels, type EntityMetadata } from '#commands/model/entity.ts';
import { pageLabels, type PageMetadata } from '#commands/model/page.ts';
import type { Screen, TabGroup } from '#commands/model/screen.ts';
import type { Message } from '#commands/text/message.ts';

import type { Directory } from './directory.ts';

/** A screen to navigate to: the table of an entity, or a page. */
export interface Destination {
  readonly title: Message;
  /** Id of the command that opens it. */
  readonly command: string;
  readonly screen: Screen;
  readonly requires: Ability | undefined;
  readonly features: readonly string[];
  readonly shows: { readonly entity: EntityMetadata } | { readonly page: PageMetadata };
}

/** Returns all screens in the order of the nouns, with the tables of entities before the pages. */
export function listDestinations({ entities, pages }: Pick<Directory, 'entities' | 'pages'>): readonly Destination[] {
  const tables = entities.flatMap((entity): Destination[] => {
    const { screen, requires, features = [] } = entity;
    return screen
      ? [
          {
            title: screen.title ?? entityLabels.title(entity),
            command: `${entity.name}.list`,
            screen,
            requires,
            features,
            shows: { entity },
          },
        ]
      : [];
  });
  const pageDestinations = pages.map((page): Destination => {
    const { noun, name, screen, requires, features = [] } = page;
    return {
      title: pageLabels.title(page),
      command: `${noun}.${name}`,
      screen,
      requires,
      features,
      shows: { page },
    };
  });
  return [...tables, ...pageDestinations];
}

/** True if a user with the given abilities can open the screen in an organization with the given features. */
export function mayOpen(
  { requires, features }: Pick<Destination, 'requires' | 'features'>,
  abilities: ReadonlySet<Ability>,
  enabledFeatures: ReadonlySet<string>,
): boolean {
  return (!requires || abilities.has(requires)) && features.every((feature) => enabledFeatures.has(feature));
}

export interface Tab {
  readonly id: string;
  readonly title: Message;
  readonly path: string;
  /** Id of the command that opens it. */
  readonly command: string;
  readonly current: boolean;
}

export interface TabStrip {
  readonly id: string;
  readonly title: Message;
  readonly tabs: readonly Tab[];
}

/**
 * Returns a screen's tab strips, with the outermost first. `accessible` contains the destinations that the user can
 * open. Omits a strip that would only repeat the rail.
 */
export function listTabStrips({ screen }: Destination, accessible: readonly Destination[]): readonly TabStrip[] {
  const rail = new Set(railOf(accessible));
  const strips: TabStrip[] = [];
  let innerGroup: TabGroup | undefined;
  for (let group = screen.tabs; group !== undefined; group = group.parent) {
    if (accessible.some((destination) => destination.screen.tabs?.id === group.id && !rail.has(destination))) {
      strips.unshift(createStrip(group, innerGroup?.id ?? screen.path, accessible));
    }
    innerGroup = group;
  }
  return strips;
}

/** Creates a tab strip. `current` is the path of the screen, or the id of the nested group that contains it. */
function createStrip(group: TabGroup, current: string, accessible: readonly Destination[]): TabStrip {
  const tabs = new Map<string, Tab>();
  const sortedScreens = accessible.toSorted((a, b) => Number(a.screen.last ?? false) - Number(b.screen.last ?? false));
  for (const { title, command, screen } of sortedScreens) {
    const innermost = innermostIn(group, screen.tabs);
    const entry = innermost?.id === group.id ? { id: screen.path, title } : innermost;
    if (entry === undefined || tabs.has(entry.id)) continue;
    const { id } = entry;
    tabs.set(id, { id, title: entry.title, path: screen.path, command, current: id === current });
  }
  return { id: group.id, title: group.title, tabs: [...tabs.values()] };
}

/**
 * Returns the group itself for its own screens, the directly nested group for screens further inside, and undefined for
 * any other screen.
 */
function innermostIn(group: TabGroup, tabGroup: TabGroup | undefined): TabGroup | undefined {
  let inner = tabGroup;
  while (inner !== undefined && inner.id !== group.id) {
    const parentGroup: TabGroup | undefined = inner.parent;
    if (parentGroup?.id === group.id) return inner;
    inner = parentGroup;
  }
  return inner;
}

/** Returns the screens in the rail. For a group with a single rail entry, returns only its first screen. */
export function railOf(accessible: readonly Destination[]): readonly Destination[] {
  return accessible.filter(
    (destination) =>
      destination.screen.rail &&
      (!destination.screen.rail.forGroup || destination === groupEntryOf(destination.screen.tabs, accessible)),
  );
}

const groupEntryOf = (group: TabGroup | undefined, accessible: readonly Destination[]): Destination | undefined =>
  accessible.find(({ screen }) => screen.tabs?.id === group?.id && screen.rail?.forGroup);

/** True if the rail entry belongs to this screen or to the group that contains it. */
export function isEntryFor({ screen: entry }: Destination, { screen }: Destination): boolean {
  return entry.path === screen.path || (entry.rail?.forGroup === true && entry.tabs?.id === screen.tabs?.id);
}

/** Returns the title of a rail entry: the title of its group or of its screen. */
export function railTitle({ title, screen: { rail, tabs } }: Destination): Message {
  return rail?.forGroup && tabs ? tabs.title : title;
}
