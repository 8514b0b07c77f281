/** How long keys wait for a screen that does not come: it may have been refused. */
const LONGEST_MS = 2000;

const waiting: (() => void)[] = [];
let away = false;
let draining = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** A command leads to another screen or another list: what is pressed from now on is meant for what will be shown. */
export function leave(): void {
  away = true;
  clearTimeout(timer);
  timer = setTimeout(arrive, LONGEST_MS);
}

/** It is shown. What waited is done in its order, each after what the one before it began. */
export function arrive(): void {
  clearTimeout(timer);
  away = false;
  if (draining) return;
  draining = true;
  next();
}

/** Whether something leads elsewhere, or what was pressed meanwhile is still being done. */
export function isOnTheWay(): boolean {
  return away || draining;
}

/** Does something once there is nothing on the way any more. */
export function afterArrival(task: () => void): void {
  if (isOnTheWay()) waiting.push(task);
  else task();
}

function next(): void {
  const task = away ? undefined : waiting.shift();
  if (!task) {
    draining = false;
    return;
  }
  task();
  setTimeout(next);
}
