import { store } from '#src/state/store.ts';
import { runningCommandsAtom } from '#src/state/work.ts';

const confirmLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * Makes the browser ask for confirmation before the user leaves or reloads the page during a write. Otherwise, the
 * remaining items would not run, and the history would not include the run.
 */
export function guardLeaving(): void {
  store.sub(runningCommandsAtom, () => {
    // Listens only during a write, because a page with this listener is excluded from the back/forward cache. Adding
    // the listener twice has no effect.
    if (store.get(runningCommandsAtom).some(({ writes }) => writes))
      window.addEventListener('beforeunload', confirmLeaving);
    else window.removeEventListener('beforeunload', confirmLeaving);
  });
}
