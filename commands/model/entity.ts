import type { toJson } from '@bufbuild/protobuf';

import type { Message } from '#commands/text/message.ts';
import type { Event } from '#proto/gen/hiber/event_pb.ts';

import type { Ability } from './ability.ts';
import type { Column, DetailPart, DetailField, ItemRef, Level } from './column.ts';
import type { Context } from './context.ts';
import type { FilterKeys } from './filter.ts';
import type { Invocation } from './invocation.ts';
import type { CompiledFilter, Page, StaffOnly, Window } from './list.ts';
import type { LogEntry } from './log-entry.ts';
import type { Screen } from './screen.ts';
import type { TabFilter, TabPage } from './tab-filter.ts';
import type { ValueOwner } from './values.ts';

/** A row of a tab with `lines`. */
export interface TextLine {
  readonly number: number;
  readonly text: string;
}

/** A page of a tab's rows. */
export interface TabRows extends ReadonlyArray<unknown> {
  /** True if the server returned fewer rows than its total. */
  readonly capped?: true;
}

/** How a tab shows files. */
export interface FileRows<Item> {
  /** The files, which the item includes, so the tab shows a change together with the item. */
  rows(item: Item): readonly unknown[];
  /** The param of the tab's `add` command that receives a file. */
  readonly param: string;
  readonly maxBytes: number;
  /** Returns the commands for a file, each with a button. The file's name is a link that runs the first. */
  actions(row: unknown, item: Item): readonly Invocation[];
  /** Returns more commands for a file, whose buttons only staff see. */
  staffActions(row: unknown, item: Item): readonly Invocation[];
  /** Returns the link to an image that a browser can show. Undefined for other files. */
  image(row: unknown): string | undefined;
}

/** A list that belongs to an item, shown as a tab of its panel: messages, events, call history. */
export interface DetailTab<Item> {
  readonly id: string;
  readonly requires?: Ability;
  /** Returns false for items without this list, such as the connected devices of a sensor. */
  appliesTo?(item: Item): boolean;
  readonly columns: readonly Column<never>[];
  /** True if the rows are lines of text ({@link TextLine}), shown with their numbers instead of in columns. */
  readonly lines?: true;
  /** Returns a row as an entry of a log, which is shown instead of columns. */
  entry?(row: unknown, item: Item): LogEntry;
  /** How often to load the rows again while they are visible, in seconds. For rows that no event announces. */
  readonly reloadInterval?: number;
  /** The command that creates the first row, for an empty tab. Absent if rows appear by themselves. */
  add?(item: Item, context: Context): Invocation | undefined;
  /** True to offer the command above the rows as well. */
  readonly addsMore?: true;
  /** The command that removes rows. Offered above the rows. */
  remove?(item: Item, context: Context): Invocation | undefined;
  /** Maximum rows per request (spec 9: 100 for messages and events). */
  readonly limit: number;
  /** True if more rows can be loaded, page by page. */
  readonly pages?: true;
  readonly filters?: Readonly<Record<string, TabFilter>>;
  /** Loads the rows of `page`, which is by default the first page without filters. */
  load(context: Context, item: Item, page?: TabPage): Promise<TabRows>;
  /** The message to show if the server returns fewer rows than its total. */
  readonly cappedMessage?: Message;
  key(row: unknown): string;
  /** Returns the item that a row represents, if it exists. Opening the row opens this item. */
  opens?(row: unknown, item: Item): ItemRef | undefined;
  /** Returns the details of one row, such as headers and bodies, as text. */
  detail?(row: unknown, item: Item): readonly DetailPart[];
  /** The command that opens the full list, if it has a screen. */
  fullList?(item: Item): Invocation;
  /** The title of `fullList`, if the screen shows more than the list. */
  readonly fullListTitle?: Message;
  /** Returns the owner of the values that the tab shows, each with a sparkline. Its rows open a chart. */
  owner?(item: Item): ValueOwner;
  /**
   * The rows are files, shown with previews. Files that the user drops or pastes are arguments for a param of the
   * command in `add`.
   */
  readonly files?: FileRows<Item>;
  /** Returns the message for an empty tab, if it isn't just that there is nothing yet. */
  emptyHint?(item: Item): Message;
}

/** A tab that lists the related items of another entity, found by a filter, such as the devices with a tag. */
export interface ItemsTab<Item> {
  readonly id: string;
  /** The name of the other entity. It isn't the entity itself, because entities can refer to each other. */
  readonly entity: string;
  /** The filter key of the other entity. `value` returns its value for an item. */
  readonly key: string;
  value(item: Item): string;
  /** See {@link DetailTab}. */
  appliesTo?(item: Item): boolean;
  /**
   * Returns the organization of the items, if it can differ from the current one. Screens list only the current
   * organization's items.
   */
  organization?(item: Item): string;
  /** The columns to show. A panel has room for only a few. */
  readonly columns: readonly string[];
  /** The command that adds the first item, for an empty tab. */
  add?(item: Item, context: Context): Invocation | undefined;
  /** True to offer the command also above the items. */
  readonly addsMore?: true;
}

/**
 * Values that only optional columns show. They load separately, once such a column is visible, so the rows don't wait
 * for them.
 */
export interface DeferredValues<Item> {
  /** Loads the values for a page of items, keyed by id. Should take one request. */
  load(context: Context, items: readonly Item[]): Promise<ReadonlyMap<string, unknown>>;
  /** Returns the item with its values. */
  add(item: Item, values: unknown): Item;
}

/** One of the numbered views above a table. Its title is the noun's text `views.<id>`. */
export interface DefaultView {
  readonly id: string;
  readonly filter: string;
}

/**
 * The part of an entity that is available before its declaration has loaded (`registry/manifest.ts`): its screen, the
 * permission required to see it, and the events that change it. `changedItem` is absent until the declaration has
 * loaded.
 */
export interface EntityMetadata {
  /** Singular, as in `noun.verb`. Its strings are in the namespace of the same name. */
  readonly name: string;
  /** The plural, which lists the items when used as a command: `devices 'health:ERROR'`. */
  readonly plural: string;
  readonly requires?: Ability;
  readonly features?: readonly string[];
  readonly screen?: Screen;
  /** Contract event types (by name) that make its lists stale. */
  readonly changedBy?: readonly string[];
  /** The kinds of reference data shown with its items, with the event types that make the data and the lists stale. */
  readonly references?: Readonly<Record<string, readonly string[]>>;
  /**
   * Returns the only item that an event in `changedBy` changes, so only its row is reloaded. If absent or undefined,
   * the whole list may have changed.
   */
  changedItem?(event: Event): string | undefined;
}

/**
 * Declares how to list, get, find, label, filter, and show an entity. Screens, pickers, tables, the panel, CSV, and the
 * CLI are built from this. Uses methods, not function properties, so `Entity<Device>` is an {@link AnyEntity}.
 */
export interface Entity<Item, Selection = unknown> extends EntityMetadata {
  readonly views?: readonly DefaultView[];
  /** Returns the key of an item in arguments, URLs, and caches. */
  id(item: Item): string;
  label(item: Item): string;
  /** Returns a short name, if it differs from the label, such as the number of a device. */
  shortLabel?(item: Item): string;
  /** Returns the second line in pickers, such as a type, a count, or a URL. */
  detail?(item: Item): string | Message | undefined;
  level?(item: Item): Level;
  /** True for an item whose progress no event announces. A list reloads its row every few seconds. */
  isPending?(this: void, item: Item): boolean;
  /** Returns the organization of an item, if lists can include items of sub-organizations. */
  belongsTo?(item: Item): { readonly id: string; readonly name: string | Message };
  /**
   * Returns the item in the contract's JSON, for `--json` and 'Copy as JSON'. `writeJson` is Protobuf's `toJson`, which
   * is a parameter because tables load without it.
   */
  json(item: Item, writeJson: typeof toJson): unknown;
  /**
   * Returns true if typed text can only be an id (`AAAA BBBB`, `#12`), so a list of ids is not mistaken for a filter.
   */
  isId(text: string): boolean;
  /** True if the URL of an item (`/{id}`) shows the item full screen, not next to the list. */
  readonly opensFull?: true;
  /** True if URLs identify items by number only (spec 5: route guards). Otherwise, they use the name. */
  readonly numbered?: true;
  /** Returns the canonical form of a typed id. */
  toId(text: string): string;
  list(context: Context, filter: CompiledFilter<Selection>, window: Window): Promise<Page<Item>>;
  /** Returns the items with these ids that the caller may see, in any order. */
  byIds(context: Context, ids: readonly string[]): Promise<readonly Item[]>;
  /** Returns every item that the text could mean, by exact id, number, or name. */
  find(context: Context, text: string): Promise<readonly Item[]>;
  /**
   * Returns for each name what {@link find} would, in fewer calls. Names that are missing from the result have to be
   * looked up one by one. Absent if the contract has no way to look up many names at once.
   */
  findMany?(context: Context, names: readonly string[]): Promise<ReadonlyMap<string, readonly Item[]>>;
  /**
   * Returns the part of a list that only staff can see, which explains why their total differs from a customer's.
   * Undefined if there is no such part.
   */
  staffOnly?(context: Context, filter: CompiledFilter<Selection>): Promise<StaffOnly | undefined>;
  /** Returns a few candidates for typed text, best match first. */
  search(context: Context, text: string, limit: number): Promise<readonly Item[]>;
  /** Creates an empty selection for `filter` keys to write into. */
  emptySelection(): Selection;
  /** Adds bare words to the selection. Absent if the contract can't search this entity. */
  applySearch?(selection: Selection, words: string): void;
  readonly filter: FilterKeys<Selection>;
  /** Maps each state word to a filter, or to a message that explains why there is no filter for it. */
  readonly states?: Partial<Readonly<Record<StateWord, StateFilter>>>;
  /** The key of `filter` that matches items by id and can be negated, for "all matching items except these". */
  readonly idKey?: string;
  /** The message to show if the server returns fewer items than its total. */
  readonly cappedMessage?: Message;
  /** The values of `sort:`. A leading `-` sorts in descending order. */
  readonly sorts: readonly string[];
  /** Maps each alias to its sort: `inactivity` to `last`. An alias in the opposite direction maps to `-last`. */
  readonly sortAliases?: Readonly<Record<string, string>>;
  /** The values of `group:`. Absent if the contract cannot group. */
  readonly groups?: readonly string[];
  readonly defaultSort?: string;
  /** The command that an empty screen offers to create the first item, if it is not `<noun>.create`. */
  readonly addCommand?: string;
  /** Other commands that create an item, which its list offers next to that one. */
  readonly otherAddCommands?: readonly string[];
  /** Commands that change many items at once, which the list offers unless it is empty. */
  readonly changeCommands?: readonly string[];
  /** An item of the demo, and a filter that finds a few there, for examples in the help. */
  readonly example?: { readonly name: string; readonly filter?: string };
  /** True if its strings include `empty`, which explains how to get the first item. */
  readonly emptyHint?: true;
  readonly columns: readonly Column<Item>[];
  /** The values of optional columns, which load after the rows. Absent if the items already include them. */
  readonly deferredValues?: DeferredValues<Item>;
  /** The items of another entity that a row shows. If one of them changes, only the row is reloaded. */
  readonly dependency?: { readonly entity: string; ids(item: Item): readonly string[] };
  readonly details?: readonly DetailField<Item>[];
  readonly detailTabs?: readonly DetailTab<Item>[];
  /** Tabs that follow `detailTabs`. */
  readonly itemTabs?: readonly ItemsTab<Item>[];
}

/** Words for an item's state. A filter interprets them as that state, or as a search if they are quoted. */
export const STATE_WORDS = ['untagged', 'disabled', 'enabled', 'suspended', 'expired'] as const;

export type StateWord = (typeof STATE_WORDS)[number];

/** A filter to suggest, or a message for a state that the contract cannot select. */
export type StateFilter = { readonly filter: string } | { readonly message: Message };

export type AnyEntity = Entity<unknown, unknown>;

/** Declares an entity, inferring the item and selection types where possible. */
export function entity<Item, Selection>(spec: Entity<Item, Selection>): Entity<Item, Selection> {
  return spec;
}

export const entityLabels = {
  title: (entity: EntityMetadata): Message => ({ key: `screen:${entity.name}.title` }),
  empty: (entity: EntityMetadata): Message => ({ key: `${entity.name}:empty` }),
  one: (entity: EntityMetadata): Message => ({ key: `${entity.name}:one` }),
  many: (entity: EntityMetadata): Message => ({ key: `${entity.name}:many` }),
  /** Explains a total to staff, with the number of items that customers cannot see. */
  staffOnly: ({ count }: StaffOnly): Message => ({ key: 'core:staffOnly', values: { count } }),
  count: (entity: EntityMetadata, count: number): Message => ({ key: `${entity.name}:count`, values: { count } }),
  column: (entity: EntityMetadata, { id, title }: Pick<Column<never>, 'id' | 'title'>): Message =>
    title ?? { key: `${entity.name}:columns.${id}` },
  detail: (entity: EntityMetadata, id: string): Message => ({ key: `${entity.name}:details.${id}` }),
  view: (entity: EntityMetadata, id: string): Message => ({ key: `${entity.name}:views.${id}` }),
  detailTab: (entity: EntityMetadata, id: string): Message => ({ key: `${entity.name}:detailTabs.${id}` }),
  filterKey: (entity: EntityMetadata, id: string): Message => ({ key: `${entity.name}:filter.${id}` }),
};
