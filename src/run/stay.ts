import { store } from '#src/state/store.ts';
import { runningAtom } from '#src/state/work.ts';

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * While something changes items, the browser asks before the page is left or reloaded: the rest would not be done, and
 * undo, which is kept in the page, could not take back what was.
 */
export function askBeforeLeaving(): void {
  let asks = false;
  store.sub(runningAtom, () => {
    const writes = store.get(runningAtom).some((running) => running.writes);
    if (writes === asks) return;
    asks = writes;
    // Only then: a page that listens is not kept for going back to it.
    if (asks) window.addEventListener('beforeunload', ask);
    else window.removeEventListener('beforeunload', ask);
  });
}
