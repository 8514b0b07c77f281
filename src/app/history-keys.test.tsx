import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
  useParams,
} from '@tanstack/react-router';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { cancelScreenWait, isDestinationPending, onScreenShown, runOrEnqueue } from '#src/state/key-queue.ts';

import { holdKeysForHistory } from './history-keys.ts';

/** Lets the screen that is being opened load. */
let finishLoad = (): void => undefined;
let router: ReturnType<typeof createTestRouter>;
let stop: () => void;

function Title() {
  return <h1>{useParams({ strict: false })['_splat']}</h1>;
}

function createTestRouter() {
  const root = createRootRoute({ component: Outlet });
  const slow = createRoute({
    getParentRoute: () => root,
    path: '/$',
    beforeLoad: () => new Promise<void>((resolve) => (finishLoad = resolve)),
    component: Title,
  });
  return createRouter({
    routeTree: root.addChildren([slow]),
    history: createMemoryHistory({ initialEntries: ['/tags', '/devices'], initialIndex: 1 }),
    defaultPendingMs: 60_000,
  });
}

beforeEach(async () => {
  router = createTestRouter();
  render(<RouterProvider router={router as never} />);
  await act(async () => finishLoad());
  await screen.findByText('devices');
  stop = holdKeysForHistory(router);
});
afterEach(() => {
  stop();
  cancelScreenWait();
  cleanup();
});

test('keys pressed right after Back wait until the previous view is shown', async () => {
  const seen: (string | null)[] = [];
  act(() => router.history.back());
  runOrEnqueue(() => void seen.push(screen.getByRole('heading').textContent));
  await act(async () => onScreenShown());
  expect(seen).toEqual([]);
  await act(async () => finishLoad());
  expect((await screen.findByText('tags')).textContent).toBe('tags');
  await act(async () => new Promise((resolve) => setTimeout(resolve, 50)));
  expect([seen, isDestinationPending()]).toEqual([['tags'], false]);
});

test("keys don't wait if unsaved input kept the user on the screen", async () => {
  act(() => router.history.notify({ type: 'BACK' }));
  expect(isDestinationPending()).toBe(false);
});
