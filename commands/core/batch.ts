import type { Context } from './context.ts';
import { failureOf, isAbort, type Failure } from './errors.ts';
import type { Message } from './message.ts';
import type { ItemResult } from './result.ts';

/** Items a single call carries: small enough to be cancelled and reported on, large enough to be quick. */
export const BATCH_SIZE = 500;

interface BatchOf<Item> {
  readonly items: readonly Item[];
  readonly id: (item: Item) => string;
  readonly label: (item: Item) => string;
  readonly size?: number;
  /** Does it for one chunk. May return refusals for single items; throwing fails the whole chunk. */
  readonly each: (chunk: readonly Item[], context: Context) => Promise<ReadonlyMap<string, Message> | void>;
}

/**
 * Runs a change chunk by chunk with progress, per-item results and cancellation between chunks. A failing chunk does not stop the
 * others, unless no chunk can succeed (signed out). What was not reached when cancelled is `skipped`.
 */
export async function inBatches<Item>(context: Context, of: BatchOf<Item>): Promise<readonly ItemResult[]> {
  const size = of.size ?? BATCH_SIZE;
  // Cancelling stops before the next chunk and never within one: of a call that is broken off nobody knows whether it was carried out.
  const whole: Context = { ...context, signal: new AbortController().signal };
  const results: ItemResult[] = [];
  const add = (chunk: readonly Item[], more: (item: Item) => Pick<ItemResult, 'failure' | 'skipped'>): void => {
    for (const item of chunk) results.push({ id: of.id(item), label: of.label(item), ...more(item) });
  };
  let hopeless: Failure | undefined;
  for (let start = 0; start < of.items.length; start += size) {
    const chunk = of.items.slice(start, start + size);
    if (context.signal.aborted || hopeless) {
      const failure = hopeless;
      add(chunk, () => (failure ? { failure } : { skipped: true }));
      continue;
    }
    try {
      const refused = await of.each(chunk, whole);
      add(chunk, (item) => {
        const reason = refused?.get(of.id(item));
        return reason ? { failure: { code: 'command', message: reason, retryable: false } } : {};
      });
    } catch (error) {
      if (isAbort(error)) add(chunk, () => ({ skipped: true }));
      else {
        const failure = failureOf(error);
        if (failure.code === 'unauthenticated') hopeless = failure;
        add(chunk, () => ({ failure }));
      }
    }
    context.progress({ done: Math.min(start + size, of.items.length), total: of.items.length });
  }
  return results;
}
