import type { StaffOnly } from './list.ts';
import type { CellKind, Column } from './column.ts';
import type { Args, Invocation } from './invocation.ts';
import type { Message } from '#commands/text/message.ts';
import type { Target } from './target.ts';
import type { Visit } from './actor.ts';

/** A place of the console: what the address holds. `search` values are strings or lists of them. */
export interface Place {
  readonly path: string;
  readonly search?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export type Theme = 'light' | 'dark' | 'system';
export type Density = 'compact' | 'comfortable';

export interface Settings {
  readonly theme: Theme;
  readonly density: Density;
  readonly language: string;
  readonly railCollapsed: boolean;
  /** Single-key shortcuts; may be turned off (WCAG 2.1.4). */
  readonly singleKeys: boolean;
  /** Support staff are asked why they act for an organization. */
  readonly askReason: boolean;
}

/** The table of the current screen. Moves are by rows; the host keeps the active row in view. */
export interface TableHost {
  move(by: number, extend?: boolean): void;
  page(direction: 1 | -1): void;
  edge(which: 'first' | 'last'): void;
  toggle(): void;
  all(): void;
  clear(): void;
  select(target: Target): void;
  editFilter(): void;
  setFilter(text: string): void;
  filter(): string;
  entity(): string;
  /** The id of the active row, whatever the panel shows. */
  row(): string | undefined;
}

export interface PanelHost {
  /**
   * An item of the table's kind replaces what was open; any other lies over it. `narrow` is what the tab is narrowed
   * down by.
   */
  open(entity: string, id: string, tab?: string, narrow?: Args): void;
  /** Lays an item over the one that lists it; back leads to that one again. */
  openOver(entity: string, id: string): void;
  /** Leaves the topmost layer: an opened line of a list, a form, an item. False when none was open. */
  back(): boolean;
  close(): void;
  /** Shows the neighbouring tab of the topmost item, and puts the focus into what it lists. */
  tab(by: 1 | -1): void;
  /** The tabs of the topmost item, in their order; none while a form lies over it or nothing is open. */
  tabs(): readonly { readonly id: string; readonly title: Message }[];
  showTab(id: string): void;
  /**
   * Shows the neighbour, in the table, of the item that it shows.
   * @throws CommandError when the table does not list the item.
   */
  step(by: 1 | -1): Promise<void>;
  isOpen(): boolean;
}

/** What the palette opens with: a command to fill in, a prefix, or what fits the selection. */
export type PaletteStart =
  | { readonly invocation: Invocation }
  | { readonly prefix: string }
  | { readonly actions: true }
  | undefined;

/** Rows or a record to show: the CLI prints it (as a table or as JSON). */
export interface Listing {
  readonly entity: string;
  readonly items: readonly unknown[];
  readonly total: number;
  /** The part of `total` that only staff see. */
  readonly staffOnly?: StaffOnly;
  /** True for one item that is to be read as a whole rather than as a row. */
  readonly detail?: boolean;
}

/**
 * What a page says, as labelled lines: the CLI prints it. `at` is a moment in ms since the epoch, which an `age`
 * counts from.
 */
export interface DetailLines {
  readonly lines: readonly {
    readonly head: Message;
    readonly kind: CellKind;
    readonly value: string | Message | undefined;
    readonly at: number | undefined;
  }[];
  readonly json: unknown;
}

/** Rows that are no items of an entity, as a list of its panel shows them, without headings: the CLI prints them. */
export interface RowLines {
  readonly columns: readonly Column<never>[];
  readonly rows: readonly unknown[];
  readonly json: unknown;
}

/** What the identity provider says about who is signed in. */
export interface SignedIn {
  /** The ways in that the account has, by the provider's ids: `password`, `google.com`. */
  readonly providers: readonly string[];
  readonly emailVerified: boolean;
  /** What the second factors are called. */
  readonly factors: readonly string[];
}

/**
 * What only some surfaces can do. A command lists what it `needs`; a host that lacks one of them hides the command. The
 * console has all but `output`; the CLI has `output` and `line`.
 */
export interface HostCapabilities {
  readonly navigate: (place: Place) => void;
  readonly panel: PanelHost;
  readonly table: TableHost;
  readonly palette: { open(start?: PaletteStart): void };
  readonly form: { open(invocation: Invocation): void };
  readonly help: { open(): void };
  readonly rail: { toggle(): void };
  /** Takes a text that is still being made; false when the person has to press another key for it. */
  readonly clipboard: { write(text: Promise<string>): Promise<boolean> };
  /** The absolute address that reproduces what is on the screen. */
  readonly link: { current(): string };
  readonly settings: { get(): Settings; set(change: Partial<Settings>): void };
  readonly session: {
    signOut(): Promise<void>;
    actAs(organization: string): Promise<void>;
    returnHome(): Promise<void>;
    /** The visit has changed: its reason, its end, what it allows. */
    visiting(visit: Visit | undefined): void;
  };
  /** Undefined for somebody who signed in by a token. */
  readonly identity: { current(): SignedIn | undefined };
  readonly history: {
    /** Runs the inverse of the last command that has one, and says so. */
    undo(): Promise<void>;
    /** Runs the last command again, on the current selection where there is one; shows its plan first where it must. */
    repeat(): Promise<void>;
    /** The last command of this organization, for copying it as a line. */
    last(): Invocation | undefined;
  };
  readonly line: { print(invocation: Invocation): string };
  /** The keys that the person changed. */
  readonly keys: {
    /** As a text that `replace` takes. */
    print(): string;
    /** What is wrong with a text of keys. */
    problem(text: string): Message | undefined;
    /** @returns how many commands have keys of the person now. @throws CommandError */
    replace(text: string): number;
  };
  /** What the screen asked the server for. */
  readonly loads: {
    /** Asks again for what could not be loaded; false where nothing failed. */
    retry(): boolean;
  };
  readonly work: {
    cancel(): void;
    retry(): Promise<void>;
    /** Goes on with what a cancelled run did not try. */
    goOn(): Promise<void>;
  };
  readonly output: { list(listing: Listing): void; details(details: DetailLines): void; rows(rows: RowLines): void };
}

export type Capability = keyof HostCapabilities;
