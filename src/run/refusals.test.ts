import { Code, ConnectError } from '@connectrpc/connect';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { CommandError } from '#commands/model/errors.ts';
import { UnavailableError, type ReasonCode } from '#commands/run/availability.ts';
import { message } from '#commands/text/message.ts';
import { onChange } from '#src/data/changes.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { refreshAfterRefusal } from './refusals.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);

const text = message('core:unavailable.signedOut');
const createRefusal = (code: ReasonCode): Error => new UnavailableError({ code, message: text });

let refreshed: string[];
let testCount = 0;
let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  // Starts each test long after the previous one: its refusals must not count as repeated.
  vi.advanceTimersByTime(++testCount * 60_000);
  showGadgets();
  refreshed = [];
  stop = onChange(({ entity }) => refreshed.push(entity));
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

it.each([
  [Code.PermissionDenied, ['me']],
  [Code.NotFound, []],
])('refreshes only permissions, if one is missing, after the server refused with status %i', (code, expected) => {
  refreshAfterRefusal(new ConnectError('no', code));
  vi.advanceTimersByTime(1000);
  expect(refreshed).toEqual(expected);
});

it.each([
  ['nothing if a feature is missing', createRefusal('feature'), []],
  ['nothing if an argument is invalid', new CommandError(text), []],
  ["the user's permissions if one is missing", createRefusal('ability'), ['me']],
])('refreshes %s when the console itself refuses', (_reason, error, expected) => {
  refreshAfterRefusal(error);
  vi.advanceTimersByTime(1000);
  expect(refreshed).toEqual(expected);
});

it('refreshes nothing once nobody is signed in', () => {
  store.set(userSessionAtom, undefined);
  refreshAfterRefusal(createRefusal('ability'));
  vi.advanceTimersByTime(1000);
  expect(refreshed).toEqual([]);
});

it('does not refresh again while the same refusal repeats', () => {
  for (let attempt = 0; attempt < 5; attempt++) {
    refreshAfterRefusal(createRefusal('ability'));
    vi.advanceTimersByTime(500);
  }
  expect(refreshed).toEqual(['me']);
  vi.advanceTimersByTime(10_000);
  refreshAfterRefusal(createRefusal('ability'));
  vi.advanceTimersByTime(1000);
  expect(refreshed).toEqual(['me', 'me']);
});
