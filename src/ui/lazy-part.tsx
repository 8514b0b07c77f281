import { useEffect, useReducer, useState, useSyncExternalStore, type ComponentType } from 'react';

interface FailedPart {
  readonly error: unknown;
  readonly retry: () => void;
}

interface LazyPartOptions<Props> {
  /** Shown while the part loads. */
  readonly Pending?: ComponentType<Props>;
  /** Shown if the part couldn't be loaded. Without it, {@link useFailedParts} lists the part. */
  readonly Failed?: ComponentType<FailedPart>;
  /** Returns the component if its code has already loaded for another reason. */
  readonly loaded?: () => ComponentType<Props> | undefined;
}

let failedParts: readonly (() => void)[] = [];
const listeners = new Set<() => void>();

function updateFailedParts(next: typeof failedParts): void {
  failedParts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Lists a part that could not be loaded.
 *
 * @returns a function that removes the part from the list
 */
export function registerFailedPart(retry: () => void): () => void {
  updateFailedParts([...failedParts, retry]);
  return () => updateFailedParts(failedParts.filter((listed) => listed !== retry));
}

/** Returns the retry functions of the parts that couldn't be loaded and show no error themselves. */
export const listedFailedParts = (): readonly (() => void)[] => failedParts;

/** Returns {@link listedFailedParts} and rerenders the component when they change. */
export const useFailedParts = (): readonly (() => void)[] => useSyncExternalStore(subscribe, listedFailedParts);

/**
 * Creates a component whose code loads on first render. Unlike with React's `lazy`, a failure does not affect the rest
 * of the page, the user can retry, and the code loads when the browser is back online. Once its code has loaded, the
 * component renders synchronously.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { Pending, Failed, loaded: loadedElsewhere = () => undefined }: LazyPartOptions<Props> = {},
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const loadOnce = (): Promise<void> => {
    loading ??= load()
      .then((component) => void (loaded = component))
      .finally(() => (loading = undefined));
    return loading;
  };
  return function LazyPart(props: Props) {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [attempt, retry] = useReducer((count: number) => count + 1, 0);
    const [failed, setFailed] = useState<{ readonly attempt: number; readonly error: unknown }>();
    const failure = failed?.attempt === attempt ? failed : undefined;
    useEffect(() => {
      let isUnmounted = false;
      loadOnce().then(
        () => !isUnmounted && setLoaded(() => loaded),
        (error: unknown) => !isUnmounted && setFailed({ attempt, error }),
      );
      return () => {
        isUnmounted = true;
      };
    }, [attempt]);
    const Part = Loaded ?? loadedElsewhere();
    const isListed = Part === undefined && failure !== undefined && Failed === undefined;
    useEffect(() => (isListed ? registerFailedPart(retry) : undefined), [isListed]);
    const hasFailed = Part === undefined && failure !== undefined;
    useEffect(() => {
      if (!hasFailed) return;
      window.addEventListener('online', retry);
      return () => window.removeEventListener('online', retry);
    }, [hasFailed]);
    if (Part) return <Part {...props} />;
    if (failure && Failed) return <Failed error={failure.error} retry={retry} />;
    return Pending ? <Pending {...props} /> : null;
  };
}
