import type { Message } from '#commands/text/message.ts';

/** A value that completes what is typed. */
export interface Suggestion {
  readonly value: string;
  readonly label: string;
  /** How it reads, where that is not simply its label. */
  readonly message?: Message;
  readonly detail?: string;
  /** The same in words, where they follow the language. */
  readonly about?: Message;
  readonly count?: number;
}
