/** A bounded queue: one side pushes values, the other awaits them. */
export interface Feed<T> extends AsyncIterable<T> {
  push(values: readonly T[]): void;
  /** Ends the feed. Without an error, values still in the queue are delivered first. */
  end(error?: Error): void;
}

/**
 * Creates a feed for one consumer. If the consumer falls more than `bound` values behind, the feed ends with the error
 * `overflow()`, rather than losing values silently or buffering without limit.
 */
export function createFeed<T>(bound: number, overflow: () => Error): Feed<T> {
  let queue: T[] = [];
  let ended = false;
  let failure: Error | undefined;
  let wakeUp: () => void = () => {};

  function end(error?: Error): void {
    if (ended) return;
    ended = true;
    failure = error;
    if (error) queue = [];
    wakeUp();
  }

  return {
    push(values) {
      if (ended) return;
      queue.push(...values);
      if (queue.length > bound) end(overflow());
      wakeUp();
    },
    end,
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const ready = queue;
        queue = [];
        yield* ready;
        if (queue.length > 0) continue;
        if (failure) throw failure;
        if (ended) return;
        await new Promise<void>((resolve) => (wakeUp = resolve));
      }
    },
  };
}
