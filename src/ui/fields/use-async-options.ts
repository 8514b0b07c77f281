import { useEffect, useState } from 'react';

export interface ComboboxOption {
  readonly id: string;
  readonly label: string;
  /** Shown after the label, less prominently, for example "61 devices". */
  readonly detail?: string;
  /** The options that this one stands for, if it is a list. */
  readonly list?: readonly ComboboxOption[];
  /** The reason why the option is listed but cannot be chosen. */
  readonly disabledReason?: string;
}

export type LoadOptions = (query: string, signal: AbortSignal) => Promise<readonly ComboboxOption[]>;

export interface AsyncOptions {
  /** The result of the last finished query. It stays while the next query loads, to avoid flicker. */
  readonly options: readonly ComboboxOption[];
  readonly loading: boolean;
  readonly error: unknown;
}

interface Result {
  readonly load: LoadOptions;
  readonly query: string;
  readonly options: readonly ComboboxOption[];
  readonly error: unknown;
}

/**
 * Loads the options for `query` while `enabled`. A newer query aborts the older one, and a late response is dropped.
 */
export function useAsyncOptions(load: LoadOptions, query: string, enabled: boolean): AsyncOptions {
  const [result, setResult] = useState<Result>();
  useEffect(() => {
    if (!enabled) return;
    const abort = new AbortController();
    const settle = (options: readonly ComboboxOption[], error: unknown) => {
      if (!abort.signal.aborted) setResult({ load, query, options, error });
    };
    load(query, abort.signal).then(
      (options) => settle(options, undefined),
      (error: unknown) => settle([], error),
    );
    return () => abort.abort();
  }, [load, query, enabled]);
  return {
    options: result?.options ?? [],
    loading: result?.load !== load || result.query !== query,
    error: result?.error,
  };
}
