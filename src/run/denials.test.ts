import { Code, ConnectError } from '@connectrpc/connect';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { CommandError } from '#commands/model/errors.ts';
import { UnavailableError, type ReasonCode } from '#commands/run/availability.ts';
import { message } from '#commands/text/message.ts';
import { onChange } from '#src/data/changes.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { refreshAfterDenial } from './denials.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);

const denialMessage = message('core:unavailable.signedOut');
const createDenial = (code: ReasonCode): Error => new UnavailableError({ code, message: denialMessage });

let refreshedEntities: string[];
let testCount = 0;
let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  // Start each test long after the previous one, so its denials do not count as repeated.
  vi.advanceTimersByTime(++testCount * 60_000);
  showGadgets();
  refreshedEntities = [];
  stop = onChange(({ entity }) => refreshedEntities.push(entity));
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test.each([
  [Code.PermissionDenied, ['me']],
  [Code.NotFound, []],
])('refreshes the permissions only if one is missing, after status %i', (code, expected) => {
  refreshAfterDenial(new ConnectError('no', code));
  vi.advanceTimersByTime(1000);
  expect(refreshedEntities).toEqual(expected);
});

test.each([
  ['nothing if a feature is missing', createDenial('feature'), []],
  ['nothing if an argument is invalid', new CommandError(denialMessage), []],
  ["the user's permissions if one is missing", createDenial('ability'), ['me']],
])('refreshes %s when the console itself rejects', (_reason, error, expected) => {
  refreshAfterDenial(error);
  vi.advanceTimersByTime(1000);
  expect(refreshedEntities).toEqual(expected);
});

test('refreshes nothing after sign-out', () => {
  store.set(userSessionAtom, undefined);
  refreshAfterDenial(createDenial('ability'));
  vi.advanceTimersByTime(1000);
  expect(refreshedEntities).toEqual([]);
});

test('does not refresh again while the same denial repeats', () => {
  for (let attempt = 0; attempt < 5; attempt++) {
    refreshAfterDenial(createDenial('ability'));
    vi.advanceTimersByTime(500);
  }
  expect(refreshedEntities).toEqual(['me']);
  vi.advanceTimersByTime(10_000);
  refreshAfterDenial(createDenial('ability'));
  vi.advanceTimersByTime(1000);
  expect(refreshedEntities).toEqual(['me', 'me']);
});
