import type { Event } from '#proto/hiber/event_pb';

import type { Ability } from './ability.ts';
import type { Context } from './context.ts';
import type { FactGroup } from './fact-groups.ts';
import type { FilterKeys } from './filter.ts';
import type { Invocation } from './invocation.ts';
import type { Message } from './message.ts';
import type { Narrowing, Part } from './narrowing.ts';
import type { TabGroup } from './tab-groups.ts';

/** A window of a list, as an index range that starts on a multiple of `size`. */
export interface Window {
  /** Zero-based. */
  readonly page: number;
  readonly size: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** All that match, not only this page. */
  readonly total: number;
  /** The server ends the list before its total: what lies beyond is not shown. */
  readonly capped?: true;
}

/** Items of a list that customers cannot see. */
export interface StaffOnly {
  readonly count: number;
  /** A filter term that keeps exactly those of any list: `lifecycle:DEFECTIVE`. */
  readonly term: string;
}

/** A filter compiled to what the contract selects by; `Selection` is the init shape of the entity's selection message. */
export interface Compiled<Selection> {
  readonly selection: Selection;
  /** Names of `Entity.sorts`, `-` in front for descending; empty for the entity's own order. */
  readonly sort: readonly string[];
}

/**
 * How a cell looks: the surface picks the font, the alignment and, for `health` and `tags`, the widget. A cell's `value` is always text too (what
 * CSV and the CLI show).
 */
export type CellKind = 'text' | 'mono' | 'number' | 'age' | 'time' | 'day' | 'health' | 'tags' | 'status';

export type Level = 'ok' | 'warning' | 'error' | 'none';

export interface TagLabel {
  readonly id: string;
  readonly name: string;
}

/** The name of the entity that a {@link TagLabel} is of. */
export const TAG_ENTITY = 'tag';

/** An item of some entity, to be opened where it is named. */
export interface ItemRef {
  readonly entity: string;
  readonly id: string;
}

export interface Column<Item> {
  readonly id: string;
  readonly kind: CellKind;
  /** Pixels at the default type size. A column never shrinks below `min`; `grow` shares what is left. */
  readonly width: number;
  readonly grow?: number;
  /** Pixels with which it is seldom cut: what is left goes here before it is shared. */
  readonly enough?: number;
  readonly sort?: string;
  /** The key of the filter that makes it worth its room: without a term of that key it says the same in every row. */
  readonly when?: string;
  /** Every text that can stand here, where that is a short closed list: the column is then never too narrow for one, in any language. */
  readonly texts?: readonly Message[];
  /** Text of the cell; a {@link Message} where the text is of the interface's language (an enum value). */
  value(item: Item): string | Message | undefined;
  level?(item: Item): Level;
  tags?(item: Item): readonly TagLabel[];
  /** For `age` and `time`: the moment, in ms since the epoch; for `day` when it begins in UTC. */
  at?(item: Item): number | undefined;
}

/** One labelled line of the panel's overview. */
export interface Fact<Item> {
  readonly id: string;
  readonly kind: CellKind;
  /** Where the overview shows it; within a group the order is that of declaration. Pages order their facts themselves. */
  readonly group?: FactGroup;
  value(item: Item): string | Message | undefined;
  /** How bad it is; warnings and errors lead the overview. `now` is in ms since the epoch. */
  level?(item: Item, now?: number): Level;
  tags?(item: Item): readonly TagLabel[];
  at?(item: Item): number | undefined;
  /** The items that it names, where they can be opened: a gateway, an owner. */
  links?(item: Item): readonly (ItemRef & { readonly name: string })[];
  /** The command that edits it. */
  readonly edit?: string;
  /** The params of that command that are about it, where they do not follow from its id ({@link editedParams}). */
  readonly fields?: readonly string[];
}

/** A labelled part of one row, for reading. */
export interface DetailPart {
  readonly label: Message;
  readonly text: string | Message;
  readonly mono?: boolean;
  /** For a moment, in ms since the epoch: it is written in the person's own format and time zone. */
  readonly at?: number | undefined;
}

/** A list of things that belong to an item, shown as a tab of its panel: its messages, its events, its call history. */
export interface Related<Item> {
  readonly id: string;
  readonly requires?: Ability;
  readonly columns: readonly Column<never>[];
  /** Id of the command that brings the first one, on the item as its target; nothing where they come by themselves. */
  readonly filledBy?: string;
  /** At most this many are asked for at once (spec 9: 100 for messages and events). */
  readonly limit: number;
  /** Further ones can be asked for, page by page. */
  readonly pages?: true;
  readonly narrow?: Readonly<Record<string, Narrowing>>;
  /** Without a part, the first page of everything. */
  load(context: Context, item: Item, part?: Part): Promise<readonly unknown[]>;
  key(row: unknown): string;
  /** The item that a row stands for: the row opens it. */
  opens?(row: unknown): ItemRef;
  /** The whole of one row, for reading: header pairs and bodies, as text only. */
  detail?(row: unknown): readonly DetailPart[];
  /** The command that goes to all of them, where they have a screen. */
  elsewhere?(item: Item): Invocation;
}

/** A tab with the items of some entity that belong to an item, by the filter that lists them: the devices of a tag. */
export interface ItemsTab<Item> {
  readonly id: string;
  /** By name, so that entities can refer to one another. */
  readonly entity: string;
  /** The key of that entity's filter, and its value for an item. */
  readonly key: string;
  value(item: Item): string;
  /** The columns that are shown: room is scarce in a panel. */
  readonly columns: readonly string[];
}

/** Links to items that are called by their id. */
export function asLinks(
  entity: string,
  ...ids: readonly (string | undefined)[]
): readonly (ItemRef & { name: string })[] {
  return ids.flatMap((id) => (id ? [{ entity, id, name: id }] : []));
}

export interface Screen {
  readonly path: `/${string}`;
  /** What the screen is called, where that is not the plural of its entity. */
  readonly title?: Message;
  /** Other addresses of it, which lead to `path`. */
  readonly aliases?: readonly `/${string}`[];
  /** Its line in the rail; a screen without one is reached by its key, the palette, and as a tab of its group. */
  readonly rail?: Rail;
  /** `g d`: goes there. */
  readonly key?: string;
  /** The group of screens that it is a tab of. */
  readonly tabs?: TabGroup;
  /** Its tab stands behind the others. */
  readonly last?: true;
}

export interface Rail {
  /** A name of the icon set (lucide). */
  readonly icon: string;
  readonly group: 'fleet' | 'signals' | 'data' | 'developer' | 'organization';
  /** It stands for its whole group of tabs, and is called so there. Of several such screens, for the first that the person may open. */
  readonly whole?: true;
}

/** Saved by default: the numbered views above a table. `label` is a locale key of the noun. */
export interface DefaultView {
  readonly id: string;
  readonly filter: string;
}

/**
 * An entity, declared once: how to list, get, find, label, filter and show it. Screens, pickers, tables, the panel, CSV and the CLI read this.
 * Methods (not function properties), so that `Entity<Device>` is an {@link AnyEntity}.
 */
export interface Entity<Item, Selection = unknown> {
  /** Singular, as in `noun.verb`; also the locale file's name. */
  readonly name: string;
  /** The word that lists in a line: `devices 'health:ERROR'`. */
  readonly plural: string;
  readonly requires?: Ability;
  readonly features?: readonly string[];
  readonly screen?: Screen;
  readonly views?: readonly DefaultView[];
  /** The key of an item in args, addresses and caches. */
  id(item: Item): string;
  label(item: Item): string;
  /** What people call it in a word, where that is not its label: the number of a device. */
  short?(item: Item): string;
  /** A second line in pickers: type, count, url. */
  detail?(item: Item): string | Message | undefined;
  level?(item: Item): Level;
  /** The organization that it is in, where a list also shows items of organizations below. */
  belongsTo?(item: Item): { readonly id: string; readonly name: string | Message };
  /** The item as the contract writes it in JSON: what `--json` prints and 'copy as JSON' copies. */
  json(item: Item): unknown;
  /** True when a typed text can only be an id (`AAAA BBBB`, `#12`), so that a list of them is not taken for a filter. */
  isId(text: string): boolean;
  /** The canonical form of a typed id. */
  toId(text: string): string;
  list(context: Context, filter: Compiled<Selection>, window: Window): Promise<Page<Item>>;
  /** The items with these ids that the caller may see, in any order. */
  byIds(context: Context, ids: readonly string[]): Promise<readonly Item[]>;
  /** Everything that a person could mean by this text, exact matches only: by id, number or name. */
  find(context: Context, text: string): Promise<readonly Item[]>;
  /**
   * The part of a list that only staff see, so that their total and a customer's can be reconciled. Undefined where
   * there is no such part.
   */
  staffOnly?(context: Context, filter: Compiled<Selection>): Promise<StaffOnly | undefined>;
  /** Candidates while typing, best first; few. */
  search(context: Context, text: string, limit: number): Promise<readonly Item[]>;
  /** An empty selection for `filter` keys to write into. */
  emptySelection(): Selection;
  /** Where bare words go; absent when the contract cannot search this entity. */
  applySearch?(selection: Selection, words: string): void;
  readonly filter: FilterKeys<Selection>;
  /** The key of `filter` that names items by id and negates: how "all that match, without these" is written. */
  readonly idKey?: string;
  /** Said where a server ends the list before its total. */
  readonly capped?: Message;
  /** What `sort:` takes, each also with `-` in front for descending. */
  readonly sorts: readonly string[];
  /** Other words for a sort: `inactivity` for `last`, and `-last` for what counts the other way round. */
  readonly sortAliases?: Readonly<Record<string, string>>;
  /** What `group:` takes; absent where the contract cannot group. */
  readonly groups?: readonly string[];
  readonly defaultSort?: string;
  /** The command that makes the first one, where that is not `<noun>.create`: what an empty screen offers. */
  readonly filledBy?: string;
  /** True where its texts say under `empty` how the first one comes to be. */
  readonly emptyHint?: true;
  readonly columns: readonly Column<Item>[];
  readonly facts?: readonly Fact<Item>[];
  readonly related?: readonly Related<Item>[];
  /** Behind those. */
  readonly itemTabs?: readonly ItemsTab<Item>[];
  /** Contract event types (names) after which its lists are out of date. */
  readonly changedBy?: readonly string[];
  /** Reference data that its items are shown with, and the event types after which that and so its lists are out of date. */
  readonly references?: Readonly<Record<string, readonly string[]>>;
  /** The one item that such an event is about: only its row is asked for again. Absent or undefined: the list may have changed. */
  changedItem?(event: Event): string | undefined;
}

export type AnyEntity = Entity<unknown, unknown>;

/** Declares an entity; the item and selection types are inferred where they can be. */
export function entity<Item, Selection>(spec: Entity<Item, Selection>): Entity<Item, Selection> {
  return spec;
}

export const entityTexts = {
  title: (of: AnyEntity): Message => ({ key: `screen:${of.name}.title` }),
  empty: (of: AnyEntity): Message => ({ key: `${of.name}:empty` }),
  one: (of: AnyEntity): Message => ({ key: `${of.name}:one` }),
  /** Explains a total to staff: how many of it customers cannot see. */
  staffOnly: ({ count }: StaffOnly): Message => ({ key: 'core:staffOnly', values: { count } }),
  count: (of: AnyEntity, count: number): Message => ({ key: `${of.name}:count`, values: { count } }),
  column: (of: AnyEntity, id: string): Message => ({ key: `${of.name}:columns.${id}` }),
  fact: (of: AnyEntity, id: string): Message => ({ key: `${of.name}:facts.${id}` }),
  view: (of: AnyEntity, id: string): Message => ({ key: `${of.name}:views.${id}` }),
  related: (of: AnyEntity, id: string): Message => ({ key: `${of.name}:related.${id}` }),
  filterKey: (of: AnyEntity, id: string): Message => ({ key: `${of.name}:filter.${id}` }),
};
