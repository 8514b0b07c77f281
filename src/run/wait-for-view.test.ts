import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { isDestinationPending, runOrEnqueue } from '#src/state/key-queue.ts';

import { provide } from './context.ts';
import { invoke } from './invoke.ts';

/** `end` ends the run of the command that a test starts. */
const task = vi.hoisted(() => ({ isRunning: false, end: (): void => undefined }));

vi.mock('#src/registry/loaders.ts', async () => {
  const { command } = await import('#commands/model/command.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  const run = () =>
    new Promise<object>((resolve) => {
      task.isRunning = true;
      task.end = () => resolve({});
    });
  return loadersFor({
    lamp: {
      commands: [
        command({ id: 'lamp.show', effect: 'navigate', run }),
        command({ id: 'lamp.undo', effect: 'navigate', needs: ['history'], run }),
        command({ id: 'lamp.count', effect: 'read', run }),
      ],
    },
  });
});

beforeEach(() => {
  task.isRunning = false;
  showGadgets();
  provide({ history: { undo: async () => undefined, repeat: async () => undefined, last: () => undefined } });
});
afterEach(() => task.end());

test('keys wait, in order, for a command that looks something up before it changes the view', async () => {
  const keys: string[] = [];
  const completion = invoke({ id: 'lamp.show', args: {} });
  await vi.waitFor(() => expect(task.isRunning).toBe(true), 10_000);
  for (const key of ['*', 't']) runOrEnqueue(() => void keys.push(key));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(keys).toEqual([]);
  task.end();
  await completion;
  await vi.waitFor(() => expect(keys).toEqual(['*', 't']));
});

test.each(['lamp.undo', 'lamp.count'])("keys don't wait for %s, which doesn't change the view", async (id) => {
  void invoke({ id, args: {} });
  await vi.waitFor(() => expect(task.isRunning).toBe(true), 10_000);
  expect(isDestinationPending()).toBe(false);
});
