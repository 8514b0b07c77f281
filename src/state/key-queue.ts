import { flushSync } from 'react-dom';

/** How long keys wait for a screen to render, which never appears if access was denied. */
const MAX_WAIT_MS = 2000;
/** How long keys wait for a change of the view or a layer, which never ends if the server or a chunk doesn't answer. */
export const MAX_VIEW_WAIT_MS = 10_000;
/** After this wait, Escape cancels the waiting keys. Before, it is one of them, as in `Enter Escape`. */
const CANCEL_AFTER_MS = 1000;
/** How long a wait goes unmentioned. */
const SLOW_AFTER_MS = CANCEL_AFTER_MS;
/** How long keys that act on rows wait for a screen that may have no list. A list that is loading has longer. */
const NO_LIST_AFTER_MS = 5000;

/** Keystrokes closer together than this belong together, even those of a slow typist. */
const PAUSE_MS = 1000;

/** Holds keystrokes until `release` or `drop` is called. Later calls have no effect. */
export interface KeyHold {
  /** Replays the held keystrokes because the earlier keystroke has reached its destination. */
  readonly release: () => void;
  /** Drops the held keystrokes, because the earlier one led nowhere, or to something that needs confirmation. */
  readonly drop: () => void;
  /** False once the hold has ended, including when the user canceled. */
  readonly isHeld: () => boolean;
}

/** A waiting task. Returns true if the next task need not wait for its effect. */
export interface Task {
  (): boolean | void;
  /** True if the task replays Enter. */
  readonly isEnter?: boolean;
}

const waitingTasks: Task[] = [];
/** True while another screen, or the same screen with other content, is loading. */
let isScreenPending = false;
/** True while the visible rows, if any, do not belong to the latest list. */
let areRowsPending = false;
/** True while a list loads. Meanwhile, the rows of the previous list stay visible. */
let areRowsLoading = false;
/** True while the first waiting task needs the rows that are loading. */
let isHeldForRows = false;
/** True while a layer, over the screen or in its panel, is opening. Text typed meanwhile is meant for the layer. */
let isLayerOpening = false;
/** Active holds, each for the destination of an earlier keystroke. */
const holds = new Set<KeyHold>();
/** Active holds of the keys for the screen, each for a change of the view. */
const viewHolds = new Set<KeyHold>();
/** The number of changes of the view that have neither been applied nor failed, even if keys no longer wait. */
let unsettledChanges = 0;
/** When the screen's keys began to wait. */
let waitingSince = 0;
let reportLate: () => void = () => undefined;
let reportSlow: (isSlow: boolean) => void = () => undefined;
/** Set while anything waits. */
let slowTimer: ReturnType<typeof setTimeout> | undefined;
/** True once something has waited for so long that the user should hear of it. */
let isSlow = false;
/** Set while typed text is discarded. */
let discardTimer: ReturnType<typeof setTimeout> | undefined;
/** True while the Enter that ends the discarded text is still expected, no matter how long the user waits. */
let isEnterDiscarded = false;
let isDraining = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let rowsTimer: ReturnType<typeof setTimeout> | undefined;
let layerTimer: ReturnType<typeof setTimeout> | undefined;

/** Called when a command opens another screen or list. Later keystrokes wait for it. */
export function expectScreen(): void {
  startWaiting();
  isScreenPending = true;
  areRowsPending = true;
  limitScreenWait();
  followWait();
}

/** Ends the wait for a screen that doesn't appear. The wait begins when nothing has to load for it any more. */
function limitScreenWait(): void {
  clearTimeout(timer);
  timer = setTimeout(() => (viewHolds.size > 0 ? limitScreenWait() : onScreenShown()), MAX_WAIT_MS);
}

function startWaiting(): void {
  if (!isDestinationPending()) waitingSince = Date.now();
}

/**
 * Holds the keystrokes for the screen until a change of the view has been applied, so that none acts on the previous
 * view. Keystrokes in fields and layers don't wait. Drops the held keystrokes if the change fails, and also reports it
 * if the change takes too long.
 */
export async function waitForView<T>(change: Promise<T>): Promise<T> {
  startWaiting();
  const hold = createHold(viewHolds);
  const limit = setTimeout(() => dropLate(hold), MAX_VIEW_WAIT_MS);
  unsettledChanges++;
  try {
    const result = await change;
    hold.release();
    return result;
  } catch (error) {
    hold.drop();
    throw error;
  } finally {
    clearTimeout(limit);
    unsettledChanges--;
  }
}

function dropLate(hold: KeyHold): void {
  const hasWaitingTasks = waitingTasks.length > 0;
  hold.drop();
  if (hasWaitingTasks) reportLate();
}

/** Sets the function that tells the user that their keystrokes were dropped because loading took too long. */
export function onKeysLate(report: () => void): void {
  reportLate = report;
}

/** Sets the function that shows, or no longer shows, that keystrokes or the command of one wait noticeably long. */
export function onKeysSlow(report: (isSlow: boolean) => void): void {
  reportSlow = report;
}

/** Called after every change of what waits. */
function followWait(): void {
  const isWaiting = isScreenWaiting() || isLayerPending();
  if (isWaiting !== (slowTimer !== undefined)) {
    clearTimeout(slowTimer);
    slowTimer = isWaiting ? setTimeout(onSlow, SLOW_AFTER_MS) : undefined;
    isSlow = false;
  }
  // A screen shows itself that it is loading, so only waiting keys are news.
  reportSlow(isSlow && (waitingTasks.length > 0 || isLayerPending()));
}

function onSlow(): void {
  isSlow = true;
  followWait();
}

/** True if the screen's keystrokes have waited for so long that Escape cancels them. */
export function isScreenSlow(): boolean {
  return isScreenWaiting() && Date.now() - waitingSince >= CANCEL_AFTER_MS;
}

/** True while the screen's keystrokes wait for the view or its rows. */
function isScreenWaiting(): boolean {
  return isScreenPending || isHeldForRows || viewHolds.size > 0;
}

/**
 * Drops the keystrokes that wait for the view, and stops waiting for it.
 *
 * @returns true if there were any
 */
export function cancelScreenWait(): boolean {
  const hadWaitingTasks = waitingTasks.length > 0;
  clearTimeout(timer);
  clearTimeout(rowsTimer);
  isScreenPending = false;
  isHeldForRows = false;
  waitingTasks.length = 0;
  for (const hold of viewHolds) hold.drop();
  followWait();
  return hadWaitingTasks;
}

/**
 * Called when the screen is shown, perhaps without rows yet. Runs the waiting tasks in order, each after the effect of
 * the previous one has started.
 */
export function onScreenShown(): void {
  clearTimeout(timer);
  isScreenPending = false;
  followWait();
  drain();
}

/** Called when the screen shows a list whose rows are loading. */
export function expectRows(): void {
  areRowsPending = true;
  areRowsLoading = true;
}

/** Called when the rows are shown as well, or the list is empty or failed to load. */
export function onRowsShown(): void {
  clearTimeout(rowsTimer);
  areRowsPending = false;
  areRowsLoading = false;
  isHeldForRows = false;
  onScreenShown();
}

/** True while a destination is loading, or waiting tasks still run. */
export function isDestinationPending(): boolean {
  return isScreenWaiting() || isLayerPending() || isDraining;
}

/**
 * True while tasks are waiting. New keystrokes must queue behind them. In a field, which the user has moved to with the
 * pointer, only those queue that would overtake earlier keystrokes for the field.
 */
export function isQueued(isInField = false): boolean {
  return isLayerPending() || isDraining || (waitingTasks.length > 0 && !isInField);
}

/** Runs a task once no destination is loading. */
export function runOrEnqueue(task: Task): void {
  if (!isDestinationPending()) return void task();
  waitingTasks.push(task);
  followWait();
}

/**
 * Runs a task on rows once the list's rows are shown. Later keystrokes wait behind it. Never acts on the previous
 * list's rows. If loading takes too long, drops the task with everything behind it and reports it.
 */
export function runWithRows(task: () => void): void {
  if (!areRowsPending) return task();
  startWaiting();
  isHeldForRows = true;
  waitingTasks.unshift(task);
  followWait();
  clearTimeout(rowsTimer);
  rowsTimer = setTimeout(() => {
    if (isListLoading()) rowsTimer = setTimeout(endRowsWait, MAX_VIEW_WAIT_MS - NO_LIST_AFTER_MS);
    else onRowsShown();
  }, NO_LIST_AFTER_MS);
}

const isListLoading = (): boolean => areRowsLoading || unsettledChanges > 0;

function endRowsWait(): void {
  if (!isListLoading()) return onRowsShown();
  isHeldForRows = false;
  waitingTasks.length = 0;
  followWait();
  reportLate();
}

/** Runs a task once the palette, a sheet, or a form is on the page. Later keystrokes wait behind it. */
export function runWithLayer(task: Task): void {
  expectLayer();
  waitingTasks.unshift(task);
}

/**
 * Holds later keystrokes while the item that Enter was pressed on is looked up, planned, or run, because they are meant
 * for its destination. They are released after `limitMs`, if it is given.
 */
export function holdKeys({ limitMs }: { readonly limitMs?: number } = {}): KeyHold {
  const hold = createHold(holds);
  if (limitMs !== undefined) setTimeout(hold.release, limitMs);
  return hold;
}

/**
 * Holds later keystrokes while the code of the command that an earlier one runs is loading. If that takes too long,
 * drops them and the command, whose target may no longer be the one that the user meant, and reports it.
 */
export function holdKeysForCommand(): KeyHold {
  const hold = createHold(holds);
  setTimeout(() => {
    if (!hold.isHeld()) return;
    hold.drop();
    reportLate();
  }, MAX_VIEW_WAIT_MS);
  return hold;
}

/** Creates a hold that is active while it is in the set. */
function createHold(activeHolds: Set<KeyHold>): KeyHold {
  const hold: KeyHold = {
    release: () => {
      if (!activeHolds.delete(hold)) return;
      followWait();
      drain();
    },
    drop: () => {
      if (!activeHolds.delete(hold)) return;
      waitingTasks.length = 0;
      followWait();
    },
    isHeld: () => activeHolds.has(hold),
  };
  activeHolds.add(hold);
  followWait();
  return hold;
}

/**
 * Called when the palette, a sheet, or a form was opened but isn't on the page yet. If it takes too long to appear,
 * drops the text typed for it and reports it.
 */
export function expectLayer(): void {
  if (isLayerOpening) return;
  isLayerOpening = true;
  layerTimer = setTimeout(() => {
    const hasWaitingTasks = waitingTasks.length > 0;
    cancelLayer();
    if (hasWaitingTasks) reportLate();
  }, MAX_VIEW_WAIT_MS);
  followWait();
}

/** Called when the layer is on the page and has focus. */
export function onLayerShown(): void {
  clearTimeout(layerTimer);
  isLayerOpening = false;
  followWait();
  drain();
}

/** Removes and returns the waiting tasks. */
export const takeWaitingTasks = (): Task[] => waitingTasks.splice(0);

/** Called if the layer closed or failed before appearing. Drops text typed for it. */
export function cancelLayer(): void {
  if (!isLayerOpening) return;
  clearTimeout(layerTimer);
  isLayerOpening = false;
  waitingTasks.length = 0;
  followWait();
}

/**
 * Drops all held keystrokes. Called when the user cancels.
 *
 * @returns true if they waited for the effect of an earlier keystroke, as opposed to a layer that is opening
 */
export function dropHeldKeys(): boolean {
  const wasHeld = holds.size > 0;
  for (const hold of holds) hold.drop();
  cancelLayer();
  return wasHeld;
}

/**
 * Discards text typed for a prompt that doesn't open, because the command was rejected, had nothing to ask for, or
 * could not be loaded. Otherwise, the characters would run as commands.
 */
export function discardTyping(): void {
  isEnterDiscarded ||= waitingTasks.length > 0;
  clearTimeout(discardTimer);
  discardTimer = setTimeout(() => (discardTimer = undefined), PAUSE_MS);
}

/** Ends {@link discardTyping} because the user has moved on to something else. */
export function stopDiscarding(): void {
  clearTimeout(discardTimer);
  discardTimer = undefined;
  isEnterDiscarded = false;
}

/** Called when the user moves the focus. After a pause, the next Enter is for the element with the focus. */
export function expectOtherEnter(): void {
  if (discardTimer === undefined) isEnterDiscarded = false;
}

/** True if a key typed now continues the text that {@link discardTyping} discards, or is the Enter that ends it. */
export function isDiscarded(key: string): boolean {
  const isEnter = key === 'Enter';
  const isContinuing = discardTimer !== undefined;
  const isPartOfText = isContinuing || (isEnter && isEnterDiscarded);
  isEnterDiscarded = isContinuing && !isEnter;
  if (isContinuing) discardTyping();
  return isPartOfText;
}

/** True while keystrokes wait for a layer, or for the destination of an earlier keystroke. */
export function isLayerPending(): boolean {
  return isLayerOpening || holds.size > 0;
}

/** Runs the waiting tasks, after the new content has rendered. */
function drain(): void {
  if (isDraining || waitingTasks.length === 0) return;
  isDraining = true;
  setTimeout(next);
}

function next(): void {
  const task = isScreenWaiting() || isLayerPending() ? undefined : waitingTasks.shift();
  if (!task) {
    isDraining = false;
    return;
  }
  let isContinuing: boolean | void = false;
  try {
    // Renders immediately, as after a real keystroke, because the next key must find the effect of this one on the
    // page.
    isContinuing = flushSync(task);
  } finally {
    if (isContinuing === true) next();
    else setTimeout(next);
  }
}
