/** Pauses a run between two calls. */
interface PauseSwitch {
  /** Resolves immediately, or when the run continues. */
  ready(): Promise<void>;
  isPaused(): boolean;
  pause(): void;
  resume(): void;
}

export function createPauseSwitch(): PauseSwitch {
  let waiting: Promise<void> | undefined;
  let resolve = (): void => undefined;
  return {
    ready: () => waiting ?? Promise.resolve(),
    isPaused: () => waiting !== undefined,
    pause() {
      waiting ??= new Promise((resolveWaiting) => (resolve = resolveWaiting));
    },
    resume() {
      waiting = undefined;
      resolve();
    },
  };
}
