import type { Message } from '#commands/text/message.ts';

/** A completion of the typed text. */
export interface Suggestion {
  readonly value: string;
  readonly label: string;
  /** Shown instead of the label. */
  readonly message?: Message;
  readonly detail?: string;
  /** A translatable alternative to `detail`. */
  readonly about?: Message;
  readonly count?: number;
}
