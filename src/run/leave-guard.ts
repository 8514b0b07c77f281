import { store } from '#src/state/store.ts';
import { runningAtom } from '#src/state/work.ts';

const confirmLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * Makes the browser ask before leaving or reloading the page during a write: the remaining items would not run, and the
 * history would not include the run.
 */
export function guardLeaving(): void {
  let isGuarding = false;
  store.sub(runningAtom, () => {
    const writes = store.get(runningAtom).some((running) => running.writes);
    if (writes === isGuarding) return;
    isGuarding = writes;
    // Only while needed: a page with this listener is excluded from the back/forward cache.
    if (isGuarding) window.addEventListener('beforeunload', confirmLeaving);
    else window.removeEventListener('beforeunload', confirmLeaving);
  });
}
