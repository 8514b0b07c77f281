import { expectLayer, runOrEnqueue, takeWaitingTasks, type Task } from './key-queue.ts';

/** A layer that could not be loaded. */
interface FailedLayer {
  readonly open: () => void;
  /** What the user typed for it. */
  readonly tasks: Task[];
}

let failedLayer: FailedLayer | undefined;

/**
 * Closes a layer that could not be loaded, and keeps it with the text typed for it, until the user does something
 * else. Not the Enter at the end of the text, so that nothing runs that the user can't see.
 */
export function keepFailedLayer(close: () => (() => void) | undefined): void {
  // Closing drops the waiting tasks.
  const tasks = takeWaitingTasks();
  const open = close();
  const end = tasks.findIndex(({ isEnter }) => isEnter);
  failedLayer = open && { open, tasks: end === -1 ? tasks : tasks.slice(0, end) };
}

/** Keeps a keystroke that continues the text typed for the layer. */
export function keepTyping(task: Task): void {
  if (!task.isEnter) failedLayer?.tasks.push(task);
}

export function forgetFailedLayer(): void {
  failedLayer = undefined;
}

/**
 * Opens the layer again with the text typed for it, because the user or the connection tries again.
 *
 * @returns false if there is none
 */
export function openFailedLayer(): boolean {
  if (!failedLayer) return false;
  const { open, tasks } = failedLayer;
  failedLayer = undefined;
  open();
  expectLayer();
  for (const task of tasks) runOrEnqueue(task);
  return true;
}
