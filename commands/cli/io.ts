/** All that the command line needs of the machine it runs on, so that a test can be one. */
export interface Io {
  /** What a person types to start it: `npx quarterdeck`, or `quarterdeck` where that is installed. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Columns of the terminal that `out` goes to; undefined when it goes elsewhere. */
  readonly columns: number | undefined;
  /** True when a person can answer: standard input and the error output are a terminal. */
  readonly interactive: boolean;
  out(text: string): void;
  err(text: string): void;
  /** How far a run is, where somebody watches: a line that whatever is written next replaces; undefined clears it. */
  status(text: string | undefined): void;
  /** Asks on the error output. A hidden answer is not shown while it is typed. @throws when it is interrupted. */
  ask(question: string, options?: { readonly hidden?: boolean }): Promise<string>;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** The text of a file, or undefined when it cannot be read. */
  readFile(path: string): string | undefined;
  /** What is in a file, or undefined when it cannot be read. */
  readBytes(path: string): Uint8Array | undefined;
}

/** What the process ends with; `--help` lists them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  someFailed: 3,
  notPermitted: 4,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
