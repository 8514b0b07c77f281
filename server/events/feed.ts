/** A bounded queue between a producer and one consumer. */
export interface Feed<T> extends AsyncIterable<T> {
  push(values: readonly T[]): void;
  /** Ends the feed. If there is no error, the consumer first receives the values that are still in the queue. */
  end(error?: Error): void;
}

/**
 * Creates a feed for one consumer. If the consumer falls more than `bound` values behind, the feed ends with the error
 * from `createOverflowError`, instead of losing values silently or buffering without limit.
 */
export function createFeed<T>(capacity: number, createOverflowError: () => Error): Feed<T> {
  let queue: T[] = [];
  let isEnded = false;
  let failure: Error | undefined;
  let wakeUp: () => void = () => {};

  function end(error?: Error): void {
    if (isEnded) return;
    isEnded = true;
    failure = error;
    if (error) queue = [];
    wakeUp();
  }

  return {
    push(values) {
      if (isEnded) return;
      queue.push(...values);
      if (queue.length > capacity) end(createOverflowError());
      wakeUp();
    },
    end,
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const values = queue;
        queue = [];
        yield* values;
        if (queue.length > 0) continue;
        if (failure) throw failure;
        if (isEnded) return;
        await new Promise<void>((resolve) => (wakeUp = resolve));
      }
    },
  };
}
