import type { Args, Invocation } from '#commands/model/invocation.ts';
import type { Change } from '#commands/model/plan.ts';
import type { Outcome } from '#commands/model/result.ts';
import type { Message } from '#commands/text/message.ts';

/** A completed run, and how to undo it. */
export interface CompletedRun {
  /** The id of its stored record (`run-record.ts`), if it was interrupted. */
  readonly recordId?: string;
  readonly invocation: Invocation;
  /** Its arguments with the content of files, if some rows are left. Only in memory, not in the stored history. */
  readonly fullArgs?: Args;
  readonly outcome: Outcome;
  readonly inverse: readonly Invocation[] | undefined;
  /** The organization that it ran in, which is the only place where it can be undone. */
  readonly organization: string;
  /** True if it destroyed nothing. If it also can't be undone, undo skips it. */
  readonly harmless?: boolean;
  /** True if it tried only some items because too many of them failed (`stages.ts`). */
  readonly stopped?: boolean;
  /** True if the process ended during the run, so it's unknown which of its changes it made. */
  readonly interrupted?: boolean;
  /**
   * The summary of the plan, such as "Set lifecycle of 214 devices to Paused". After a partial run, it covers only the
   * completed items.
   */
  readonly summary?: Message | undefined;
  /**
   * The changes that were made. Undo compares them to detect later changes. Undefined if they were removed from the
   * history, or if the run was interrupted.
   */
  readonly changes?: readonly Change[] | undefined;
}
