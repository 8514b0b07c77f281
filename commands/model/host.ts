import type { Message, Translate } from '#commands/text/message.ts';

import type { SupportSession } from './actor.ts';
import type { CellKind, Column } from './column.ts';
import type { FileContent } from './files.ts';
import type { Invocation } from './invocation.ts';
import type { StaffOnly } from './list.ts';
import type { ResultKind } from './result.ts';
import type { TableHost, TimelineHost, PanelHost, ChartHost, BenchHost } from './screen-hosts.ts';
import type { Suggestion } from './suggestion.ts';

/** A location in the console: the path and search parameters of its URL. */
export interface ConsoleLocation {
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
  /** False if the user has turned off single-key shortcuts (WCAG 2.1.4). */
  readonly singleKeys: boolean;
  /** True if support staff must enter a reason for a support session. */
  readonly askReason: boolean;
}

/** The initial state of the palette: a command to complete, a prefix, or the actions for the selection. */
export type PaletteStart =
  | { readonly invocation: Invocation }
  | { readonly prefix: string }
  | { readonly actions: true }
  | undefined;

/** Rows or a record for the CLI to print (as a table or as JSON). */
export interface Listing {
  readonly entity: string;
  readonly items: readonly unknown[];
  readonly total: number;
  /** The part of `total` that is visible only to staff. */
  readonly staffOnly?: StaffOnly;
  /** True to show a single item in full instead of as a row. */
  readonly detail?: boolean;
  /** The ids of the columns to print, in order. By default, those that the console shows by default. */
  readonly columns?: readonly string[];
}

/**
 * The content of a page as labeled lines, for the CLI to print. `time` is in ms since the epoch. An `age` is the time
 * elapsed since then.
 */
export interface DetailLines {
  readonly lines: readonly {
    readonly head: Message;
    readonly kind: CellKind;
    readonly value: string | Message | undefined;
    readonly time: number | undefined;
  }[];
  readonly json: unknown;
}

/** Rows that aren't items of an entity, such as a list in a panel, for the CLI to print without headings. */
export interface RowLines {
  readonly columns: readonly Column<never>[];
  readonly rows: readonly unknown[];
  readonly json: unknown;
  /** A sentence about all rows, to print below them. It isn't part of the data. */
  readonly note?: Message;
}

/** Rows printed while loading, so memory doesn't limit their number. */
export interface RowStream {
  readonly columns: readonly (Column<never> & { readonly head: Message })[];
  readonly batches: AsyncIterable<readonly unknown[]>;
  /** Returns a row in the contract's JSON. With `--json`, each row is one line. */
  json(row: unknown): unknown;
  /** True to print CSV. */
  readonly csv: boolean;
  /** True to keep text in CSV that a spreadsheet would run as a formula. */
  readonly formulas?: boolean;
}

/** The user's account at the identity provider. */
export interface IdentityAccount {
  /** The sign-in methods of the account, by the provider's ids: `password`, `google.com`. */
  readonly providers: readonly string[];
  readonly emailVerified: boolean;
  /** The display names of the second factors. */
  readonly factors: readonly string[];
}

/** A file to send over plain HTTP, because it may be too large for a call. */
export interface FileUpload extends FileContent {
  readonly organization: string;
  readonly identifier: string;
  /** True for a file that something will refer to. The server deletes it after a day if nothing does. */
  readonly isDraft: boolean;
}

/** Contents of files, which travel over plain HTTP, and where they end up. */
export interface FilesHost {
  /**
   * Sends a file.
   *
   * @param onProgress receives the fraction that has been sent, where the host knows it
   * @throws ConnectError with the server's reason, or an AbortError
   */
  upload(file: FileUpload, signal: AbortSignal, onProgress: (fraction: number) => void): Promise<void>;
  /** Fetches the content at a link of the contract's File. Never sends the user's token to another server. */
  fetch(link: string, signal: AbortSignal): Promise<Uint8Array>;
  /** Saves a content on the user's computer. Returns the name of the saved file. */
  save(content: FileContent): Promise<string>;
}

/**
 * Capabilities that only some surfaces have. A command lists the capabilities that it `needs`, and a host that misses
 * any of them hides the command. The console has all but `output` and `safeguard`, and the CLI has these two, `files`,
 * `translate`, `line`, and `timer`.
 */
export interface HostCapabilities {
  readonly navigate: (location: ConsoleLocation) => void;
  /** Reports an error that may be a defect in our code. The user sees only that the item failed. */
  readonly report: (error: unknown) => void;
  readonly panel: PanelHost;
  readonly table: TableHost;
  readonly timeline: TimelineHost;
  readonly palette: { open(start?: PaletteStart): void };
  readonly form: { open(invocation: Invocation): void };
  /** The form that has the focus, if any. */
  readonly focusedForm: { submit(): void };
  readonly help: { open(): void };
  /** The introduction for new users. */
  readonly tour: { open(): void };
  readonly rail: { toggle(): void };
  /** Copies text that may still be loading. Resolves to false if the browser requires another keypress first. */
  readonly clipboard: { write(text: Promise<string>): Promise<boolean> };
  /** The absolute URL that reproduces the current screen. */
  readonly link: { current(): string };
  readonly settings: { get(): Settings; set(change: Partial<Settings>): void };
  readonly session: {
    signOut(): Promise<void>;
    actAs(organization: string): Promise<void>;
    returnHome(): Promise<void>;
    /** Updates the support session: its reason, its expiry, and what it allows. */
    updateSupportSession(supportSession: SupportSession | undefined): void;
  };
  /** Undefined if the user signed in with a token. */
  readonly identity: { current(): IdentityAccount | undefined };
  readonly history: {
    /** Undoes the last command that can be undone, or continues an interrupted undo, and reports it. */
    undo(recordId?: string): Promise<void>;
    /** Runs the last command again, on the current selection if there is one. Shows its plan first if required. */
    repeat(): Promise<void>;
    /** The last command in this organization, for copying as a line. */
    last(): Invocation | undefined;
  };
  /**
   * Stores commands that restore what the next calls delete. Undo can run them even if the process ends before
   * the calls have completed. Returns a function that forgets them.
   */
  readonly safeguard: (change: { readonly summary: Message; readonly inverse: readonly Invocation[] }) => () => void;
  readonly line: { print(invocation: Invocation): Promise<string> };
  /** The user's custom key bindings. */
  readonly keys: {
    /** The bindings as text, in the format that `replace` reads. */
    print(): string;
    /** Checks text in that format. Returns a message if it is invalid. */
    problem(text: string): Message | undefined;
    /**
     * Replaces all custom keys with the keys in the text.
     *
     * @returns the number of commands that now have custom keys
     * @throws CommandError if the text is invalid
     */
    replace(text: string): number;
    /** All commands, by id, with their keys. */
    commands(): readonly Suggestion[];
    /**
     * Adds keys to the command with an id.
     *
     * @throws CommandError if the keys are invalid, or another command uses them
     */
    add(id: string, keys: string): void;
    /**
     * Removes keys from the command with an id.
     *
     * @throws CommandError if it doesn't have them
     */
    remove(id: string, keys: string): void;
  };
  /** The screen's requests to the server. */
  readonly loads: {
    /** Retries failed loads. Returns false if none failed. */
    retry(): boolean;
  };
  /** The running command, or the last command that ran. */
  readonly work: {
    cancel(): void;
    /** Runs the last command again for the items that failed. */
    retry(): Promise<void>;
    /** Continues a paused run, or else with the items that a canceled, stopped, or interrupted run didn't try. */
    continueRun(): Promise<void>;
    /** Pauses the running command before its next call. */
    pause(): void;
    /** Shows the result of each item of the last command that changed several. */
    showResults(): void;
    /** Selects the items of that command with the given result. */
    selectResults(kind: ResultKind): void;
    /** Saves the result of each item of the last command as CSV. Returns the name of the file. */
    saveResults(): Promise<string>;
  };
  /** The values chart, while visible. */
  readonly chart: ChartHost;
  readonly files: FilesHost;
  /** Saves rows as a CSV file on the user's computer, without keeping them. */
  readonly csv: { save(name: string, rows: RowStream): Promise<void> };
  /** Translates into the user's language, to recognize labels that the user typed, and to write files. */
  readonly translate: Translate;
  /** Waits, for commands that ask the server repeatedly. Rejects when the signal aborts. */
  readonly timer: { pause(milliseconds: number, signal: AbortSignal): Promise<void> };
  readonly bench: BenchHost;
  readonly output: {
    list(listing: Listing): void;
    details(details: DetailLines): void;
    rows(rows: RowLines): void;
    stream(stream: RowStream): Promise<void>;
  };
}

export type Capability = keyof HostCapabilities;
