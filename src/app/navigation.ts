import type { AnyRouter } from '@tanstack/react-router';

let current: AnyRouter | undefined;

/** Provides the router to lazily loaded code, which can't import it, because the router imports the console. */
export function provideRouter(router: AnyRouter): void {
  current = router;
}

/**
 * Returns the router.
 *
 * @throws Error if there is no router yet, which is a programming error that is detected at startup
 */
export function router(): AnyRouter {
  if (!current) throw new Error('The router has not been created yet.');
  return current;
}
