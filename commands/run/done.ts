import type { Invocation } from '#commands/model/invocation.ts';
import type { Message } from '#commands/text/message.ts';
import type { Change } from '#commands/model/plan.ts';
import type { Outcome } from '#commands/model/result.ts';

/** What was run, and how to take it back. */
export interface Done {
  readonly invocation: Invocation;
  readonly outcome: Outcome;
  readonly inverse: readonly Invocation[] | undefined;
  /** The organization it was run in: undo works there and nowhere else. */
  readonly organization: string;
  /** Whether it destroyed nothing although there is no way back: undo passes it by. */
  readonly harmless?: boolean;
  /** What the plan called it: "Set lifecycle of 214 devices to Paused"; where only a part was done, that part. */
  readonly summary?: Message | undefined;
  /** The changes that were made, for undo to see what changed since; undefined when they are no longer known. */
  readonly left?: readonly Change[] | undefined;
}
