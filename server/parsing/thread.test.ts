import process from 'node:process';

import { afterEach, expect, test } from 'vitest';

import { eventually } from '#server/testkit/eventually.ts';

import { Thread, ThreadStoppedError } from './thread.ts';

const ENTRY = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId, workerData } from 'node:worker_threads';
    parentPort.on('message', (request) => {
      if (request === 'loop') for (;;);
      if (request === 'crash') throw new Error('It crashed.');
      if (request === 'exit') process.exit();
      if (request === 'work') while (Atomics.load(workerData, 0) === 0);
      parentPort.postMessage(threadId);
    });
  `)}`,
);

const threads: Thread<string, number>[] = [];
afterEach(() => Promise.all(threads.splice(0).map((thread) => thread.close())));

type ThreadOptions = Partial<ConstructorParameters<typeof Thread>[1]>;

/** Limits the time of nothing unless a test does, because a busy machine may take long to start a thread. */
function createThread(options: ThreadOptions = {}): Thread<string, number> {
  const thread = new Thread<string, number>(ENTRY, { idleMs: 60_000, maxMs: () => Infinity, ...options });
  threads.push(thread);
  return thread;
}

test('answers requests one at a time, in the same thread', async () => {
  const thread = createThread();
  expect(await thread.run('a')).toBe(await thread.run('b'));
});

test.each([
  ['loop', 200, 'It took longer than 200 ms.'],
  ['crash', Infinity, 'It crashed.'],
  ['exit', Infinity, 'The thread ended.'],
])('is replaced after a request to %s', async (request, limit, reason) => {
  let maxMs = Infinity;
  const thread = createThread({ maxMs: () => maxMs });
  const first = await thread.run('a');
  maxMs = limit;
  const stopError = await thread.run(request).catch((error: unknown) => error);
  expect(stopError).toBeInstanceOf(ThreadStoppedError);
  expect((stopError as Error).message).toBe(reason);
  maxMs = Infinity;
  expect(await thread.run('a')).not.toBe(first);
});

test('ends when it is idle, and starts again', async () => {
  const thread = createThread({ idleMs: 1 });
  const first = await thread.run('a');
  await eventually(async () => expect(await thread.run('a')).not.toBe(first));
});

test('limits the time of each step instead of the whole request', async () => {
  const maxMs = 200;
  let checks = 0;
  /** Lets the thread answer once its request has taken more of the clock and of the processor than a step may. */
  const createWorkingThread = (stepAt: (check: number) => number) => {
    const isDone = new Int32Array(new SharedArrayBuffer(4));
    const [time, cpu] = [performance.now(), process.cpuUsage()];
    const step = (): number => {
      const { user, system } = process.cpuUsage(cpu);
      if (Math.min(performance.now() - time, (user + system) / 1000) > 3 * maxMs) Atomics.store(isDone, 0, 1);
      return stepAt((checks += 1));
    };
    return createThread({ maxMs: () => maxMs, step, workerData: isDone });
  };
  await expect(createWorkingThread(() => 0).run('work')).rejects.toThrow('It took longer than 200 ms.');
  expect(await createWorkingThread((check) => check).run('work')).toEqual(expect.any(Number));
});
