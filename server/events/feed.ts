/** Values pushed from one side and awaited on the other, with a bound on what waits. */
export interface Feed<T> extends AsyncIterable<T> {
  push(values: readonly T[]): void;
  /** No more values; those that wait are still handed out, unless there is an error. */
  end(error?: Error): void;
}

/**
 * For one consumer. A consumer that falls more than `bound` values behind is ended with `overflow()`, as the
 * alternatives are to lose values silently or to hold ever more of them.
 */
export function createFeed<T>(bound: number, overflow: () => Error): Feed<T> {
  let waiting: T[] = [];
  let ended = false;
  let failure: Error | undefined;
  let wakeUp: () => void = () => {};

  function end(error?: Error): void {
    if (ended) return;
    ended = true;
    failure = error;
    if (error) waiting = [];
    wakeUp();
  }

  return {
    push(values) {
      if (ended) return;
      waiting.push(...values);
      if (waiting.length > bound) end(overflow());
      wakeUp();
    },
    end,
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const ready = waiting;
        waiting = [];
        yield* ready;
        if (waiting.length > 0) continue;
        if (failure) throw failure;
        if (ended) return;
        await new Promise<void>((resolve) => (wakeUp = resolve));
      }
    },
  };
}
