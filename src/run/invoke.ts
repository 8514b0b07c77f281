import { flushSync } from 'react-dom';

import type { Invocation } from '#commands/model/invocation.ts';
import { isLayerLoading } from '#src/keymap/layer.ts';
import { loadAll, loadCommands } from '#src/registry/registry.ts';
import { expectLayer, holdKeys } from '#src/state/key-queue.ts';
import { orExplain } from '#src/state/not-loaded.ts';

import type { Runner } from './running.ts';
import { showError } from './show-error.ts';

// The gate to everything that runs. The first rows need neither the code that runs commands nor the commands.

let loaded: Runner | undefined;

/** Loads the code that runs commands. @throws CommandError as `loadAll` */
export async function loadRunner(): Promise<Runner> {
  loaded ??= (await orExplain(import('./running.ts'))).runner;
  return loaded;
}

/** Loads all that any command needs: what palette, forms and pages may run. @throws CommandError as `loadAll` */
export async function loadAllCommands(): Promise<void> {
  await Promise.all([loadRunner(), loadAll()]);
}

/** The code that runs commands, for the capabilities that they use. @throws Error before it has loaded */
export function runner(): Runner {
  if (!loaded) throw new Error('the code that runs commands has not loaded');
  return loaded;
}

/**
 * Runs a task once these commands have loaded, with the code that runs them: at once if they have. Meanwhile, holds
 * keystrokes for whatever the task opens. If loading fails, says so and offers to try again.
 */
export async function whenLoaded(ids: readonly string[], task: (runner: Runner) => unknown): Promise<void> {
  const loading = loadCommands(ids);
  if (loaded && !loading) {
    await task(loaded);
    return;
  }
  const keys = holdKeys();
  try {
    const [ready] = await Promise.all([loadRunner(), loading]);
    // The person gave up waiting.
    if (!keys.isHeld()) return;
    const done = flushSync(() => task(ready));
    if (isLayerLoading()) expectLayer();
    keys.release();
    await done;
  } catch (error) {
    keys.drop();
    showError(error, () => void whenLoaded(ids, task));
  }
}

/** Runs an invocation from a key, a button or the palette, as `start` does. */
export function invoke(invocation: Invocation): Promise<void> {
  return whenLoaded([invocation.id], ({ start }) => start(invocation));
}
