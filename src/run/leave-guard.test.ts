import { expect, test } from 'vitest';

import { message } from '#commands/text/message.ts';
import { store } from '#src/state/store.ts';
import { testSession } from '#src/state/testkit/user-session.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { provide } from './context.ts';
import { guardLeaving } from './leave-guard.ts';
import { track } from './track.ts';

const tryToLeave = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('makes the browser confirm leaving only while a change is running', async () => {
  store.set(userSessionAtom, testSession());
  provide({});
  guardLeaving();
  /** Starts work and returns a function that ends it. */
  const startWork = (writes: boolean) => {
    let end: () => void = () => undefined;
    const work = track({ title: message('core:x'), writes }, () => new Promise<void>((resolve) => (end = resolve)));
    return async () => {
      end();
      await work;
    };
  };
  expect(tryToLeave()).toBe(true);
  const endRead = startWork(false);
  expect(tryToLeave()).toBe(true);
  const [endFirstWrite, endSecondWrite] = [startWork(true), startWork(true)];
  expect(tryToLeave()).toBe(false);
  await endFirstWrite();
  expect(tryToLeave()).toBe(false);
  await endSecondWrite();
  expect(tryToLeave()).toBe(true);
  await endRead();
});
