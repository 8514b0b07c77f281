import { afterEach, expect, test } from 'vitest';

import { eventually } from '#server/testkit/eventually.ts';

import { Thread, ThreadStoppedError } from './thread.ts';

const ENTRY = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', (request) => {
      if (request === 'loop') for (;;);
      if (request === 'crash') throw new Error('It crashed.');
      if (request === 'exit') process.exit();
      if (request === 'steps') return void setTimeout(() => parentPort.postMessage(threadId), 600);
      parentPort.postMessage(threadId);
    });
  `)}`,
);

const threads: Thread<string, number>[] = [];
afterEach(() => Promise.all(threads.splice(0).map((thread) => thread.close())));

interface Options {
  readonly idleMs?: number;
  readonly maxMs?: number;
  readonly step?: () => number;
}

function createThread({ idleMs = 60_000, maxMs = 1000, ...options }: Options = {}): Thread<string, number> {
  const thread = new Thread<string, number>(ENTRY, { idleMs, maxMs: () => maxMs, ...options });
  threads.push(thread);
  return thread;
}

test('answers requests one at a time, in the same thread', async () => {
  const thread = createThread();
  expect(await thread.run('a')).toBe(await thread.run('b'));
});

test.each([
  ['loop', 'It took longer than 200 ms.'],
  ['crash', 'It crashed.'],
  ['exit', 'The thread ended.'],
])('is replaced after a request to %s', async (request, reason) => {
  const thread = createThread({ maxMs: 200 });
  const first = await thread.run('a');
  const stopError = await thread.run(request).catch((error: unknown) => error);
  expect(stopError).toBeInstanceOf(ThreadStoppedError);
  expect((stopError as Error).message).toBe(reason);
  expect(await thread.run('a')).not.toBe(first);
});

test('ends when it is idle, and starts again', async () => {
  const thread = createThread({ idleMs: 1 });
  const first = await thread.run('a');
  await eventually(async () => expect(await thread.run('a')).not.toBe(first));
});

test('limits the time of each step instead of the whole request', async () => {
  const keepBusy = setInterval(() => {
    const end = performance.now() + 15;
    while (performance.now() < end);
  }, 20);
  const stuckThread = createThread({ maxMs: 200 });
  await expect(stuckThread.run('steps')).rejects.toThrow('It took longer than 200 ms.');
  let step = 0;
  const movingThread = createThread({ maxMs: 200, step: () => (step += 1) });
  expect(await movingThread.run('steps')).toEqual(expect.any(Number));
  clearInterval(keepBusy);
});
