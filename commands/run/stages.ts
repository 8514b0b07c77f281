import type { Plan } from '#commands/model/plan.ts';
import { message, type Message } from '#commands/text/message.ts';

/**
 * The number of items from which a change runs in stages, so a mistake shows before it reaches a whole fleet. Smaller
 * changes are done in a second or two, and undo reverts them.
 */
export const STAGED_ITEMS = 2000;

/** The numbers of items in the first stages. The last stage has all others. */
export const STAGE_SIZES = [1, 10] as const;

/** A staged run stops when more than this percentage of the items tried so far failed. */
export const MAX_FAILURE_PERCENT = 5;

/** True if a run changes so many items that it can be continued if the page closes meanwhile. */
export const isLong = ({ count }: Pick<Plan, 'count'>): boolean => count >= STAGED_ITEMS;

/** Returns the part of a plan that stages its run if it changes many items. Its command must use `runInBatches`. */
export function stagesFor(count: number): Pick<Plan, 'staged'> {
  return isLong({ count }) ? { staged: true } : {};
}

/** The sentence about the stages of a run, for its plan. */
export function stagesNote(): Message {
  const [first, second] = STAGE_SIZES;
  return message('common:plan.staged', { first, second, percent: MAX_FAILURE_PERCENT });
}

/** True if a staged run must stop. `tried` includes the items of the current call. */
export function exceedsFailures(failed: number, tried: number): boolean {
  return failed * 100 > tried * MAX_FAILURE_PERCENT;
}
