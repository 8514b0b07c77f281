import type { Message } from '#commands/text/message.ts';

import type { DetailPart } from './column.ts';
import type { Invocation } from './invocation.ts';

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
  /** What belongs to it besides the text, such as files. */
  readonly parts: readonly DetailPart[];
  /** The command that changes its text. */
  readonly edit: Invocation;
}
