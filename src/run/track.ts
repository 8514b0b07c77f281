import type { Context, Progress } from '#commands/model/context.ts';
import type { Message } from '#commands/text/message.ts';
import { store } from '#src/state/store.ts';
import { runningCommandsAtom } from '#src/state/work.ts';

import { contextNow } from './context.ts';

let lastId = 0;

interface Work {
  readonly title: Message;
  readonly writes: boolean;
  /** How long to wait before showing the work because it is usually done by then. */
  readonly delayMs?: number;
}

/** Shows running work in the status line, with progress and a way to cancel it. */
export async function track<T>({ title, writes, delayMs }: Work, work: (context: Context) => Promise<T>): Promise<T> {
  const id = ++lastId;
  const controller = new AbortController();
  const cancel = (): void => controller.abort();
  const show = (): void =>
    store.set(runningCommandsAtom, (tasks) => [...tasks, { id, title, writes, progress: undefined, cancel }]);
  const timer = delayMs === undefined ? show() : setTimeout(show, delayMs);
  const progress = (newProgress: Progress): void =>
    store.set(runningCommandsAtom, (tasks) =>
      tasks.map((task) => (task.id === id ? { ...task, progress: newProgress } : task)),
    );
  try {
    return await work(contextNow({ signal: controller.signal, progress }));
  } finally {
    clearTimeout(timer as number | undefined);
    store.set(runningCommandsAtom, (tasks) => tasks.filter((task) => task.id !== id));
  }
}
