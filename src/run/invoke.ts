import { flushSync } from 'react-dom';

import type { Invocation } from '#commands/model/invocation.ts';
import { isLayerLoading } from '#src/keymap/layer.ts';
import { loadAll, loadCommands } from '#src/registry/registry.ts';
import { expectLayer, holdKeysForCommand } from '#src/state/key-queue.ts';
import { importOrThrow } from '#src/state/not-loaded.ts';

import type { Runner } from './running.ts';
import { showError } from './show-error.ts';

// Loads commands and the code that runs them on demand because the first screen needs neither.

let loadedRunner: Runner | undefined;

/**
 * Loads the code that runs commands.
 *
 * @throws NotLoadedError
 */
export async function loadRunner(): Promise<Runner> {
  loadedRunner ??= (await importOrThrow(import('./running.ts'))).runner;
  return loadedRunner;
}

/**
 * Loads all commands and the code that runs them, for the palette, forms, and pages.
 *
 * @throws NotLoadedError
 */
export async function loadAllCommands(): Promise<void> {
  await Promise.all([loadRunner(), loadAll()]);
}

/**
 * Returns the code that runs commands, for the host's capabilities.
 *
 * @throws Error if it hasn't loaded
 */
export function runner(): Runner {
  if (!loadedRunner) throw new Error('The code that runs commands has not loaded.');
  return loadedRunner;
}

/**
 * Runs a task after the given commands and the code that runs them have loaded. While they load, holds keystrokes for
 * the layer that the task opens. If loading fails, shows the error and offers to try again. If it takes too long, drops
 * the task and says so.
 */
export async function waitUntilLoaded(ids: readonly string[], task: (runner: Runner) => unknown): Promise<void> {
  const commandLoad = loadCommands(ids);
  if (loadedRunner && !commandLoad) {
    await task(loadedRunner);
    return;
  }
  const keys = holdKeysForCommand();
  try {
    const [currentRunner] = await Promise.all([loadRunner(), commandLoad]);
    // The user canceled while the commands loaded, or loading took too long.
    if (!keys.isHeld()) return;
    const completion = flushSync(() => task(currentRunner));
    if (isLayerLoading()) expectLayer();
    keys.release();
    await completion;
  } catch (error) {
    keys.drop();
    showError(error, () => void waitUntilLoaded(ids, task));
  }
}

/** Runs an invocation from a key, a button, or the palette, as `start` does. */
export function invoke(invocation: Invocation): Promise<void> {
  return waitUntilLoaded([invocation.id], ({ start }) => start(invocation));
}
