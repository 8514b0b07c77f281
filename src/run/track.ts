import type { CallMonitor, Context, Progress } from '#commands/model/context.ts';
import { PaceMeter } from '#commands/run/pace.ts';
import type { Message } from '#commands/text/message.ts';
import { store } from '#src/state/store.ts';
import { runningCommandsAtom, type RunningCommand } from '#src/state/work.ts';

import { contextNow } from './context.ts';
import { createPauseSwitch } from './pause-switch.ts';

let lastId = 0;

interface Work {
  readonly title: Message;
  readonly writes: boolean;
  /** How long to wait before showing the work because it is usually done by then. */
  readonly delayMs?: number;
}

/** Shows running work in the status line, with progress and ways to cancel it and to pause it between two calls. */
export async function track<T>(
  { title, writes, delayMs }: Work,
  work: (context: Context, monitor: CallMonitor) => Promise<T>,
): Promise<T> {
  const id = ++lastId;
  const controller = new AbortController();
  const pauseSwitch = createPauseSwitch();
  const meter = new PaceMeter();
  let canPause = false;
  const update = (change: Partial<RunningCommand>): void =>
    store.set(runningCommandsAtom, (tasks) => tasks.map((task) => (task.id === id ? { ...task, ...change } : task)));
  const task: RunningCommand = {
    id,
    title,
    writes,
    progress: undefined,
    canPause: false,
    isPaused: false,
    cancel() {
      controller.abort();
      pauseSwitch.resume();
    },
    pause() {
      pauseSwitch.pause();
      update({ isPaused: true, pace: undefined });
    },
    resume() {
      meter.restart();
      pauseSwitch.resume();
      update({ isPaused: false });
    },
  };
  const show = (): void => store.set(runningCommandsAtom, (tasks) => [...tasks, task]);
  const timer = delayMs === undefined ? show() : setTimeout(show, delayMs);
  const progress = (newProgress: Progress): void => {
    const pace = meter.add(newProgress, performance.now());
    // The call that was running when the user paused has ended.
    update({ progress: newProgress, pace: pauseSwitch.isPaused() ? undefined : pace });
  };
  try {
    const ready = (): Promise<void> => {
      if (!canPause) update({ canPause: true });
      canPause = true;
      return pauseSwitch.ready();
    };
    return await work(contextNow({ signal: controller.signal, progress }), { ready });
  } finally {
    clearTimeout(timer as number | undefined);
    store.set(runningCommandsAtom, (tasks) => tasks.filter((other) => other.id !== id));
  }
}
