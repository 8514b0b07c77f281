import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { dropHeldKeys, isLayerPending, onKeysLate, runOrEnqueue } from '#src/state/key-queue.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';

import { invoke } from './invoke.ts';

/** Resolves the import of the noun that the test waits for. */
let finishImport: (failure?: Error) => void;

// Each test has a noun that hasn't loaded yet, with a command that prompts.
vi.mock('#src/registry/loaders.ts', async () => {
  const { command } = await import('#commands/model/command.ts');
  const { p, required } = await import('#commands/model/params.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  const nounNamed = (name: string) => {
    const params = { text: required(p.text()) };
    const ask = command({ id: `${name}.ask`, effect: 'read', params, run: async () => ({}) });
    const look = command({ id: `${name}.look`, effect: 'read', run: async () => ({}) });
    return [name, { commands: [ask, look] }] as const;
  };
  const loaders = loadersFor(Object.fromEntries(['lamp', 'horn', 'pump', 'fan', 'bell', 'siren'].map(nounNamed)));
  const importNoun = async (name: string) => {
    await new Promise<void>((resolve, reject) => {
      finishImport = (failure) => (failure ? reject(failure) : resolve());
    });
    return loaders.importNoun(name);
  };
  return { ...loaders, importNoun };
});

const ask = (noun: string): Promise<void> => invoke({ id: `${noun}.ask`, args: {} });
const isOpen = (): boolean => store.get(paletteAtom).open;

beforeEach(() => {
  for (const { id } of toasts.list()) toasts.close(id);
  showGadgets();
});
afterEach(dropHeldKeys);

test('loads the noun first and holds later keystrokes for the palette that it opens', async () => {
  const runLater = vi.fn<() => void>();
  const invocation = ask('lamp');
  runOrEnqueue(runLater);
  expect([isOpen(), isLayerPending()]).toEqual([false, true]);
  finishImport();
  await invocation;
  expect(isOpen()).toBe(true);
  // This test doesn't render the open palette.
  expect(isLayerPending()).toBe(true);
  expect(runLater).not.toHaveBeenCalled();
});

test('runs the held keystrokes after the noun has loaded if the command opens nothing', async () => {
  const runLater = vi.fn<() => void>();
  const invocation = invoke({ id: 'bell.look', args: {} });
  runOrEnqueue(runLater);
  finishImport();
  await invocation;
  expect(isLayerPending()).toBe(false);
  await vi.waitFor(() => expect(runLater).toHaveBeenCalledTimes(1));
});

test('starts immediately if the noun has loaded', async () => {
  const invocation = ask('horn');
  finishImport();
  await invocation;
  store.set(paletteAtom, { open: false });
  void ask('horn');
  expect(isOpen()).toBe(true);
});

test('reports that the noun could not be loaded, drops the keystrokes, and retries on request', async () => {
  const runLater = vi.fn<() => void>();
  const invocation = ask('pump');
  runOrEnqueue(runLater);
  finishImport(new TypeError('Failed to fetch dynamically imported module'));
  await invocation;
  await vi.waitFor(() => expect(toasts.list()).toHaveLength(1));
  const [toast] = toasts.list();
  expect(toast?.title).toBe("Part of the console couldn't be loaded. Try again. If it fails again, reload the page.");
  expect([isOpen(), isLayerPending()]).toEqual([false, false]);
  toast?.action?.run();
  finishImport();
  await vi.waitFor(() => expect(isOpen()).toBe(true));
  expect(runLater).not.toHaveBeenCalled();
});

test("doesn't start if the user cancels before the noun has loaded", async () => {
  const invocation = ask('fan');
  dropHeldKeys();
  finishImport();
  await invocation;
  expect(isOpen()).toBe(false);
});

test('drops the command and the keystrokes after ten seconds, and says so', async () => {
  vi.useFakeTimers();
  const reportLate = vi.fn<() => void>();
  onKeysLate(reportLate);
  try {
    const invocation = ask('siren');
    vi.advanceTimersByTime(9900);
    expect([isLayerPending(), reportLate.mock.calls.length]).toEqual([true, 0]);
    vi.advanceTimersByTime(200);
    expect([isLayerPending(), reportLate.mock.calls.length]).toEqual([false, 1]);
    finishImport();
    await invocation;
    expect(isOpen()).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
