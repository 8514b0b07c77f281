import type { AnyRouter, RouterHistory } from '@tanstack/react-router';

import { expectScreen, waitForView } from '#src/state/key-queue.ts';

/**
 * Holds keystrokes while the browser's Back or Forward loads a view. Navigations within the console hold them already.
 *
 * @returns a function that stops it
 */
export function holdKeysForHistory(router: AnyRouter): () => void {
  const history: RouterHistory = router.history;
  return history.subscribe(({ location, action: { type } }) => {
    const isOwn = type === 'PUSH' || type === 'REPLACE';
    // The location is the same if unsaved input kept the user on the screen.
    if (isOwn || location.href === router.state.resolvedLocation?.href) return;
    expectScreen();
    void waitForView(
      new Promise<void>((resolve) => {
        const unsubscribe = router.subscribe('onResolved', () => {
          unsubscribe();
          resolve();
        });
      }),
    );
  });
}
