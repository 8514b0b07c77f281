import { useEffect, useState } from 'react';

export interface ComboboxOption {
  readonly id: string;
  readonly label: string;
  /** After the label, quieter: "61 devices". */
  readonly detail?: string;
  /** Listed but not to be chosen, and why. */
  readonly disabledReason?: string;
}

export type LoadOptions = (query: string, signal: AbortSignal) => Promise<readonly ComboboxOption[]>;

export interface AsyncOptions {
  /** What the last finished query found; it stays while the next one runs, so that the list does not blink. */
  readonly options: readonly ComboboxOption[];
  readonly loading: boolean;
  readonly error: unknown;
}

interface Answer {
  readonly load: LoadOptions;
  readonly query: string;
  readonly options: readonly ComboboxOption[];
  readonly error: unknown;
}

/** The options for `query` while `enabled`. A newer query aborts the older; an answer that comes late is dropped. */
export function useAsyncOptions(load: LoadOptions, query: string, enabled: boolean): AsyncOptions {
  const [answer, setAnswer] = useState<Answer>();
  useEffect(() => {
    if (!enabled) return;
    const abort = new AbortController();
    const settle = (options: readonly ComboboxOption[], error: unknown) => {
      if (!abort.signal.aborted) setAnswer({ load, query, options, error });
    };
    load(query, abort.signal).then(
      (options) => settle(options, undefined),
      (error: unknown) => settle([], error),
    );
    return () => abort.abort();
  }, [load, query, enabled]);
  return {
    options: answer?.options ?? [],
    loading: answer?.load !== load || answer.query !== query,
    error: answer?.error,
  };
}
