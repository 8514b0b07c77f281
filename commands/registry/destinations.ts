import type { Ability } from '#commands/model/ability.ts';
import type { Screen, TabGroup } from '#commands/model/screen.ts';
import { entityTexts, type AnyEntity } from '#commands/model/entity.ts';
import type { Message } from '#commands/text/message.ts';
import { pageTexts, type AnyPage } from '#commands/model/page.ts';
import type { Registry } from './registry.ts';

/** A screen that can be gone to: the table of an entity, or a page. */
export interface Destination {
  readonly title: Message;
  /** Id of the command that goes there. */
  readonly command: string;
  readonly screen: Screen;
  readonly requires: Ability | undefined;
  readonly features: readonly string[];
  readonly shows: { readonly entity: AnyEntity } | { readonly page: AnyPage };
}

/** All screens that the registry declares, in its order: those of entities, then pages. */
export function destinationsOf({ entities, pages }: Pick<Registry, 'entities' | 'pages'>): readonly Destination[] {
  const tables = entities.flatMap((entity): Destination[] => {
    const { screen, requires, features = [] } = entity;
    return screen
      ? [
          {
            title: screen.title ?? entityTexts.title(entity),
            command: `${entity.name}.list`,
            screen,
            requires,
            features,
            shows: { entity },
          },
        ]
      : [];
  });
  const others = pages.map((page): Destination => {
    const { noun, name, screen, requires, features = [] } = page;
    return {
      title: pageTexts.title(page),
      command: `${noun}.${name}`,
      screen,
      requires,
      features,
      shows: { page },
    };
  });
  return [...tables, ...others];
}

/** Whether somebody with these abilities, in an organization with these features, may go there. */
export function mayOpen(
  { requires, features }: Pick<Destination, 'requires' | 'features'>,
  abilities: ReadonlySet<Ability>,
  held: ReadonlySet<string>,
): boolean {
  return (!requires || abilities.has(requires)) && features.every((feature) => held.has(feature));
}

export interface Tab {
  readonly id: string;
  readonly title: Message;
  readonly path: string;
  /** Id of the command that goes there. */
  readonly command: string;
  readonly current: boolean;
}

export interface TabStrip {
  readonly id: string;
  readonly title: Message;
  readonly tabs: readonly Tab[];
}

/**
 * The strips that a screen shows, the outermost first, over `open`: the destinations that the person may open. One that
 * would only repeat the rail is left out.
 */
export function tabStripsOf({ screen }: Destination, open: readonly Destination[]): readonly TabStrip[] {
  const railed = new Set(railOf(open));
  const strips: TabStrip[] = [];
  let inner: TabGroup | undefined;
  for (let group = screen.tabs; group !== undefined; group = group.in) {
    if (open.some((destination) => destination.screen.tabs === group && !railed.has(destination))) {
      strips.unshift(stripOf(group, inner?.id ?? screen.path, open));
    }
    inner = group;
  }
  return strips;
}

/** `current` is the path of the screen, or the id of the group within this one that the screen belongs to. */
function stripOf(group: TabGroup, current: string, open: readonly Destination[]): TabStrip {
  const tabs = new Map<string, Tab>();
  const ordered = open.toSorted((a, b) => Number(a.screen.last ?? false) - Number(b.screen.last ?? false));
  for (const { title, command, screen } of ordered) {
    const within = innermostIn(group, screen.tabs);
    const of = within === group ? { id: screen.path, title } : within;
    if (of === undefined || tabs.has(of.id)) continue;
    const { id } = of;
    tabs.set(id, { id, title: of.title, path: screen.path, command, current: id === current });
  }
  return { id: group.id, title: group.title, tabs: [...tabs.values()] };
}

/**
 * The group itself for one of its own screens, the group directly within it for a screen further in; undefined for
 * others.
 */
function innermostIn(group: TabGroup, tabGroup: TabGroup | undefined): TabGroup | undefined {
  let inner = tabGroup;
  while (inner !== undefined && inner !== group) {
    const outer: TabGroup | undefined = inner.in;
    if (outer === group) return inner;
    inner = outer;
  }
  return inner;
}

/** The screens that the rail lists: of a group that has one line there, the first. */
export function railOf(open: readonly Destination[]): readonly Destination[] {
  return open.filter(
    (destination) =>
      destination.screen.rail &&
      (!destination.screen.rail.whole || destination === wholeOf(destination.screen.tabs, open)),
  );
}

const wholeOf = (group: TabGroup | undefined, open: readonly Destination[]): Destination | undefined =>
  open.find(({ screen }) => screen.tabs === group && screen.rail?.whole);

/** Whether a screen is reached by this line of the rail: its own, or the one of its group. */
export function isUnder({ screen: line }: Destination, { screen }: Destination): boolean {
  return line.path === screen.path || (line.rail?.whole === true && line.tabs === screen.tabs);
}

/** What the rail calls a screen: the name of all the tabs that it stands for, or its own. */
export function railTitle({ title, screen: { rail, tabs } }: Destination): Message {
  return rail?.whole && tabs ? tabs.title : title;
}
