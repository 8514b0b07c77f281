import type { AnyRouter } from '@tanstack/react-router';

let current: AnyRouter | undefined;

/**
 * Hands over the router, for what it loads itself: the console imports no router, because the router imports the
 * console.
 */
export function provideRouter(router: AnyRouter): void {
  current = router;
}

/** @throws Error before there is a router: a defect of ours, found at start. */
export function router(): AnyRouter {
  if (!current) throw new Error('There is no router yet.');
  return current;
}
