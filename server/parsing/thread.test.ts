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
      parentPort.postMessage(threadId);
    });
  `)}`,
);

const threads: Thread<string, number>[] = [];
afterEach(() => Promise.all(threads.splice(0).map((thread) => thread.close())));

function createThread(idleMs = 60_000): Thread<string, number> {
  const thread = new Thread<string, number>(ENTRY, { idleMs });
  threads.push(thread);
  return thread;
}

test('answers requests one after the other, in the same thread', async () => {
  const thread = createThread();
  expect(await thread.run('a', 1000)).toBe(await thread.run('b', 1000));
});

test.each([
  ['loop', 'It took longer than 200 ms.'],
  ['crash', 'It crashed.'],
  ['exit', 'The thread ended.'],
])('is replaced after a request to %s', async (request, reason) => {
  const thread = createThread();
  const first = await thread.run('a', 1000);
  const stopped = await thread.run(request, 200).catch((error: unknown) => error);
  expect(stopped).toBeInstanceOf(ThreadStoppedError);
  expect((stopped as Error).message).toBe(reason);
  expect(await thread.run('a', 1000)).not.toBe(first);
});

test('ends when it is idle, and starts again', async () => {
  const thread = createThread(1);
  const first = await thread.run('a', 1000);
  await eventually(async () => expect(await thread.run('a', 1000)).not.toBe(first));
});
