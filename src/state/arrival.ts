import { flushSync } from 'react-dom';

/** How long keys wait for a screen that does not come: it may have been refused. */
const LONGEST_MS = 2000;
/** How long a key that acts on rows waits for a list that is being asked for. */
const LONGEST_FOR_ROWS_MS = 5000;

/** Keeps what is pressed until it ends, once: later calls do nothing. */
export interface KeyHold {
  /** What the earlier press led to is there: what was pressed since comes now. */
  readonly release: () => void;
  /** It led nowhere, or to something that has to be looked at first: what was pressed since means nothing. */
  readonly drop: () => void;
}

/** What waits; true when what comes next need not see what became of it. */
export type Task = () => boolean | void;

const waiting: Task[] = [];
/** Another screen, or the same one with something else in it, is on its way. */
let screenAway = false;
/** The rows that are shown, if any, are not those of the list that was asked for. */
let rowsAway = false;
/** The first that waits acts on those rows. */
let held = false;
/** What was opened over the screen, or in its panel, is not on the page yet: what is typed is for it. */
let layerAway = false;
/** Each keeps what is pressed, for what an earlier press leads to. */
const holds = new Set<KeyHold>();
let draining = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let rowsTimer: ReturnType<typeof setTimeout> | undefined;

/** A command leads to another screen or another list: what is pressed from now on is meant for what will be shown. */
export function leave(): void {
  screenAway = true;
  rowsAway = true;
  clearTimeout(timer);
  timer = setTimeout(arrive, LONGEST_MS);
}

/**
 * It is shown, perhaps without its rows yet. What waited is done in its order, each after what the one before it
 * began.
 */
export function arrive(): void {
  clearTimeout(timer);
  screenAway = false;
  drain();
}

/** The rows of the list are shown as well, or it has none, or it could not be loaded. */
export function arriveWithRows(): void {
  clearTimeout(rowsTimer);
  rowsAway = false;
  held = false;
  arrive();
}

/** Whether something leads elsewhere, or what was pressed meanwhile is still being done. */
export function isOnTheWay(): boolean {
  return screenAway || held || awaitsLayer() || draining;
}

/** Whether something waits its turn: what comes now comes after it, wherever it is pressed. */
export function isQueued(): boolean {
  return held || awaitsLayer() || draining || waiting.length > 0;
}

/** Does something once there is nothing on the way any more. */
export function afterArrival(task: Task): void {
  if (isOnTheWay()) waiting.push(task);
  else task();
}

/** Does what acts on rows once those of the list are shown; what is pressed after it keeps its turn. */
export function withRows(task: () => void): void {
  if (!rowsAway) return task();
  held = true;
  waiting.unshift(task);
  clearTimeout(rowsTimer);
  rowsTimer = setTimeout(arriveWithRows, LONGEST_FOR_ROWS_MS);
}

/**
 * Does something once the palette, a sheet or a form that was opened is on the page; what is pressed after it keeps its
 * turn. There is no limit of time: it comes, or is left.
 */
export function withLayer(task: Task): void {
  layerAway = true;
  waiting.unshift(task);
}

/**
 * Keeps the turn of what is pressed from now on: what Enter was pressed on is still being looked for, planned or run,
 * and leads elsewhere. Without `limitMs` it has no limit of time; with it, the keys come then.
 */
export function holdKeys({ limitMs }: { readonly limitMs?: number } = {}): KeyHold {
  const end = (): boolean => {
    clearTimeout(limit);
    return holds.delete(hold);
  };
  const hold: KeyHold = {
    release: () => {
      if (end()) drain();
    },
    drop: () => {
      if (end()) waiting.length = 0;
    },
  };
  const limit = limitMs === undefined ? undefined : setTimeout(hold.release, limitMs);
  holds.add(hold);
  return hold;
}

/** The palette, a sheet or a form was opened, and is not on the page yet. */
export function expectLayer(): void {
  layerAway = true;
}

/** What was opened is on the page, and has the focus. */
export function arriveAtLayer(): void {
  if (!layerAway) return;
  layerAway = false;
  drain();
}

/** What was opened is left, or failed, before it came: what was typed for it means nothing elsewhere. */
export function giveUpLayer(): void {
  if (!layerAway) return;
  layerAway = false;
  waiting.length = 0;
}

/** Somebody no longer wants what they pressed keys for. */
export function giveUpKeys(): void {
  for (const hold of holds) hold.drop();
  giveUpLayer();
}

/** Whether keys wait for what was opened, or for what an earlier press leads to. */
export function awaitsLayer(): boolean {
  return layerAway || holds.size > 0;
}

/** Later: whatever shows what came is done with it first. */
function drain(): void {
  if (draining || waiting.length === 0) return;
  draining = true;
  setTimeout(next);
}

function next(): void {
  const task = screenAway || held || awaitsLayer() ? undefined : waiting.shift();
  if (!task) {
    draining = false;
    return;
  }
  let atOnce: boolean | void = false;
  try {
    // Drawn at once, as after a real press: the next key must not meet a page that does not show yet what this one did.
    atOnce = flushSync(task);
  } finally {
    if (atOnce === true) next();
    else setTimeout(next);
  }
}
