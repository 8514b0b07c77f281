import { message, type Message } from '#commands/text/message.ts';
import { cleanLine } from '#commands/text/visible.ts';

/** Everything the command line needs from its environment. Tests replace it. */
export interface Io {
  /** The command that starts this program: `npx quarterdeck`, or `quarterdeck` if installed. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C, or if the output can't be written. The reason is then a CommandError. */
  readonly signal: AbortSignal;
  /** The width of the terminal that `out` writes to, in columns. Undefined if the output is not a terminal. */
  readonly columns: number | undefined;
  /** True if a user can answer prompts because standard input and standard error are terminals. */
  readonly isInteractive: boolean;
  out(text: string): void;
  err(text: string): void;
  /** Resolves once the output is written, or has failed. */
  flush(): Promise<void>;
  /** Shows progress on an interactive terminal, in a line that the next output replaces. Undefined clears it. */
  status(text: string | undefined): void;
  /** Prompts on standard error. A hidden answer isn't echoed. Rejects with an AbortError on Ctrl-C. */
  ask(question: string, options?: { readonly hidden?: boolean }): Promise<string>;
  /** Reads standard input to its end. */
  readInput(): Promise<Uint8Array>;
  /** Returns the bytes of a file, or why it can't be read. */
  readBytes(path: string): Uint8Array | FileProblem;
  /** Writes a new file. Returns false if there already is one, which stays as it is. */
  writeBytes(path: string, bytes: Uint8Array): boolean;
}

/** Why a file can't be read. `special` stands for pipes and devices. */
export type FileProblem = 'missing' | 'directory' | 'special' | 'tooLarge' | 'unreadable';

/** The length of a path in a message. */
const MAX_PATH_LENGTH = 200;

export const fileProblemMessage = (path: string, problem: FileProblem | 'notText'): Message =>
  message(`running:line.file.${problem}`, { path: cleanLine(path, MAX_PATH_LENGTH) });

/** Exit codes. `--help` lists them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  someFailed: 3,
  notPermitted: 4,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
