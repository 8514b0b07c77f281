import type { Context, Progress } from '#commands/model/context.ts';
import type { Message } from '#commands/text/message.ts';
import { store } from '#src/state/store.ts';
import { runningCommandsAtom } from '#src/state/work.ts';

import { contextNow } from './context.ts';

let lastId = 0;

interface Work {
  readonly title: Message;
  readonly writes: boolean;
}

/** Shows work in the status line while it runs, with progress and a way to cancel it. */
export async function track<T>({ title, writes }: Work, work: (context: Context) => Promise<T>): Promise<T> {
  const id = ++lastId;
  const controller = new AbortController();
  const cancel = (): void => controller.abort();
  store.set(runningCommandsAtom, (tasks) => [...tasks, { id, title, writes, progress: undefined, cancel }]);
  const progress = (newProgress: Progress): void =>
    store.set(runningCommandsAtom, (tasks) =>
      tasks.map((task) => (task.id === id ? { ...task, progress: newProgress } : task)),
    );
  try {
    return await work(contextNow({ signal: controller.signal, progress }));
  } finally {
    store.set(runningCommandsAtom, (tasks) => tasks.filter((task) => task.id !== id));
  }
}
