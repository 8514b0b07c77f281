import type { Event } from '#proto/gen/hiber/event_pb.ts';

import type { Ability } from './ability.ts';
import type { Column, DetailPart, DetailField, ItemRef, Level } from './column.ts';
import type { Context } from './context.ts';
import type { FilterKeys } from './filter.ts';
import type { Invocation } from './invocation.ts';
import type { Compiled, Page, StaffOnly, Window } from './list.ts';
import type { Message } from '#commands/text/message.ts';
import type { Narrowing, Part } from './narrowing.ts';
import type { Screen } from './screen.ts';

/** A list of things that belong to an item, shown as a tab of its panel: its messages, its events, its call history. */
export interface DetailTab<Item> {
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
  /** The organization whose items they are, where that need not be the one acted for: no screen lists those. */
  organization?(item: Item): string;
  /** The columns that are shown: room is scarce in a panel. */
  readonly columns: readonly string[];
}

/** Saved by default: the numbered views above a table. `label` is a locale key of the noun. */
export interface DefaultView {
  readonly id: string;
  readonly filter: string;
}

/**
 * An entity, declared once: how to list, get, find, label, filter and show it. Screens, pickers, tables, the panel, CSV
 * and the CLI read this. Methods (not function properties), so that `Entity<Device>` is an {@link AnyEntity}.
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
  /**
   * True when a typed text can only be an id (`AAAA BBBB`, `#12`), so that a list of them is not taken for a filter.
   */
  isId(text: string): boolean;
  /**
   * True where addresses name items by number alone (spec 5: route guards); others are named there as people call
   * them.
   */
  readonly numbered?: true;
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
  readonly details?: readonly DetailField<Item>[];
  readonly detailTabs?: readonly DetailTab<Item>[];
  /** Behind those. */
  readonly itemTabs?: readonly ItemsTab<Item>[];
  /** Contract event types (names) after which its lists are out of date. */
  readonly changedBy?: readonly string[];
  /**
   * Reference data that its items are shown with, and the event types after which that and so its lists are out of
   * date.
   */
  readonly references?: Readonly<Record<string, readonly string[]>>;
  /**
   * The one item that such an event is about: only its row is asked for again. Absent or undefined: the list may have
   * changed.
   */
  changedItem?(event: Event): string | undefined;
}

export type AnyEntity = Entity<unknown, unknown>;

/** Declares an entity; the item and selection types are inferred where they can be. */
export function entity<Item, Selection>(spec: Entity<Item, Selection>): Entity<Item, Selection> {
  return spec;
}

export const entityTexts = {
  title: (entity: AnyEntity): Message => ({ key: `screen:${entity.name}.title` }),
  empty: (entity: AnyEntity): Message => ({ key: `${entity.name}:empty` }),
  one: (entity: AnyEntity): Message => ({ key: `${entity.name}:one` }),
  many: (entity: AnyEntity): Message => ({ key: `${entity.name}:many` }),
  /** Explains a total to staff: how many of it customers cannot see. */
  staffOnly: ({ count }: StaffOnly): Message => ({ key: 'core:staffOnly', values: { count } }),
  count: (entity: AnyEntity, count: number): Message => ({ key: `${entity.name}:count`, values: { count } }),
  column: (entity: AnyEntity, id: string): Message => ({ key: `${entity.name}:columns.${id}` }),
  detail: (entity: AnyEntity, id: string): Message => ({ key: `${entity.name}:details.${id}` }),
  view: (entity: AnyEntity, id: string): Message => ({ key: `${entity.name}:views.${id}` }),
  detailTab: (entity: AnyEntity, id: string): Message => ({ key: `${entity.name}:detailTabs.${id}` }),
  filterKey: (entity: AnyEntity, id: string): Message => ({ key: `${entity.name}:filter.${id}` }),
};
