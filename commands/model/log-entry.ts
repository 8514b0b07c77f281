import type { Message } from '#commands/text/message.ts';

import type { DetailPart } from './column.ts';
import type { Invocation } from './invocation.ts';

/** A file of a log entry. */
export interface LogFile {
  readonly name: string;
  /** The link to an image that a browser can show. */
  readonly image?: string | undefined;
  /** The command that its name runs. */
  readonly open?: Invocation;
}

/** A row of a log: who wrote what, and when. */
export interface LogEntry {
  /** Names the entry for screen readers: "Note 3". */
  readonly name: Message;
  readonly author: string | Message;
  /** In ms since the epoch. */
  readonly time: number;
  /** Plain text, in which line breaks count. */
  readonly text: string;
  /** The heading that it shares with the entries next to it, such as a guide. */
  readonly group?: string;
  /** A heading within the group, such as a step. */
  readonly section?: string;
  /** The texts that it had before, oldest first. */
  readonly earlierTexts: readonly string[];
  /** When its text last changed, in ms since the epoch. */
  readonly editedAt?: number;
  /** What belongs to it besides the text and the files, such as a location. */
  readonly parts: readonly DetailPart[];
  readonly files: readonly LogFile[];
  /** The command that changes its text. */
  readonly edit: Invocation;
}
