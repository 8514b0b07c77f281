import { expect, test } from 'vitest';

import { message } from '#commands/text/message.ts';
import { testContext } from '#commands/testkit/context.ts';

import { actingAtom } from '#src/state/acting.ts';
import { store } from '#src/state/store.ts';
import { provide } from './context.ts';
import { askBeforeLeaving } from './stay.ts';
import { tracked } from './tracked.ts';

const leaves = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('the browser asks before a page is left that is changing something, and only then', async () => {
  const { actor, organization } = testContext();
  store.set(actingAtom, { actor, organization, preferences: {}, acceptedTac: true, passwordResetRecommended: false });
  provide({});
  askBeforeLeaving();
  const work = (writes: boolean) => {
    let end: () => void = () => undefined;
    const done = tracked({ title: message('core:x'), writes }, () => new Promise<void>((resolve) => (end = resolve)));
    return async () => {
      end();
      await done;
    };
  };
  expect(leaves()).toBe(true);
  const read = work(false);
  expect(leaves()).toBe(true);
  const [one, other] = [work(true), work(true)];
  expect(leaves()).toBe(false);
  await one();
  expect(leaves()).toBe(false);
  await other();
  expect(leaves()).toBe(true);
  await read();
});
