// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

import { onChange } from '#src/data/changes.ts';
import type { listenForEvents } from '#src/data/live.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { useLiveEvents } from './use-live-events.ts';

vi.mock('#src/state/first-screen.ts', () => ({ firstScreen: Promise.resolve() }));
const listen = vi.hoisted(() => vi.fn<typeof listenForEvents>(() => () => undefined));
vi.mock('#src/data/live.ts', () => ({ listenForEvents: listen }));

let stop: (() => void) | undefined;
afterEach(() => stop?.());

test('reloads the user and the data when the stream reopens', async () => {
  showGadgets();
  const changedEntities: string[] = [];
  stop = onChange(({ entity }) => changedEntities.push(entity));
  renderHook(() => useLiveEvents(store.get(userSessionAtom)));
  await vi.waitFor(() => expect(listen).toHaveBeenCalled());
  const [, , , onMissed] = listen.mock.lastCall ?? [];
  onMissed?.();
  expect(changedEntities).toContain('me');
  expect(changedEntities).toContain('device');
});
