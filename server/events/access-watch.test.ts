import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { AccessWatches } from './access-watch.ts';
import { accessSubject, announceAccessChanged } from './access.ts';
import { newEvent } from './new-event.ts';
import { recordEvents } from './record.ts';

const ana = accessSubject.user('ana');
const bob = accessSubject.user('bob');

describe('an access watch', () => {
  const openWatch = (...subjects: (typeof ana)[]) => {
    const watches = new AccessWatches();
    const watch = watches.open();
    let calls = 0;
    return { watches, watch, watchSubjects: () => watch.watch(subjects, () => (calls += 1)), calls: () => calls };
  };

  test('reports changes to its subjects, including changes before the subjects were set', () => {
    const watchBeforeChange = openWatch(ana);
    watchBeforeChange.watchSubjects();
    watchBeforeChange.watches.notify([bob]);
    expect(watchBeforeChange.calls()).toBe(0);
    watchBeforeChange.watches.notify([bob, ana]);
    expect(watchBeforeChange.calls()).toBe(1);

    const watchAfterChange = openWatch(ana);
    watchAfterChange.watches.notify([ana]);
    expect(watchAfterChange.calls()).toBe(0);
    watchAfterChange.watchSubjects();
    expect(watchAfterChange.calls()).toBe(1);

    const unaffectedWatch = openWatch(ana);
    unaffectedWatch.watches.notify([bob]);
    unaffectedWatch.watchSubjects();
    expect(unaffectedWatch.calls()).toBe(0);
  });

  test('assumes a change if notices were lost or exceeded the limit', () => {
    const lossyWatch = openWatch(ana);
    lossyWatch.watches.notify('all');
    lossyWatch.watchSubjects();
    expect(lossyWatch.calls()).toBe(1);
    lossyWatch.watches.notify('all');
    expect(lossyWatch.calls()).toBe(2);

    const fullWatch = openWatch(ana);
    fullWatch.watches.notify(Array.from({ length: 10_001 }, (_, index) => accessSubject.user(`${index}`)));
    fullWatch.watchSubjects();
    expect(fullWatch.calls()).toBe(1);
  });

  test('reports nothing after being closed', () => {
    const closedWatch = openWatch(ana);
    closedWatch.watchSubjects();
    closedWatch.watch.close();
    closedWatch.watches.notify([ana]);
    expect(closedWatch.calls()).toBe(0);
  });
});

describe('an access change', () => {
  let t: TestServer;
  beforeAll(async () => void (t = await startTestServer()));
  afterAll(() => t.close());

  const nextChange = (subject: typeof ana) =>
    new Promise<void>((resolve) => t.app.bus.watchAccess().watch([subject], resolve));

  test('reaches any number of subjects', async () => {
    const longSubject = (index: number) => accessSubject.user(`${index}-${'ü'.repeat(120)}`);
    const subjects = Array.from({ length: 300 }, (_, index) => longSubject(index));
    const changes = Promise.all(subjects.map(nextChange));
    await t.app.db.transaction(async (tx) => announceAccessChanged(tx, subjects));
    await expect(changes).resolves.toHaveLength(300);
  });

  test("is announced after its transaction's events, but not after a rollback", async () => {
    const order: string[] = [];
    const stop = t.app.bus.subscribe(['northwind'], {
      receive: (events) => order.push(...events.map(({ event }) => event.title)),
    });
    const watch = t.app.bus.watchAccess();
    watch.watch([ana], () => order.push('access'));
    const testEvent = (title: string) =>
      newEvent(
        { organization: 'northwind', time: t.app.now(), type: EventType.USER_REMOVED, title, description: '' },
        (common) => ({ case: 'userRemoved', value: { ...common, user: 'ana' } }),
      );
    await t.app.db
      .transaction(async (tx) => {
        announceAccessChanged(tx, [ana]);
        await recordEvents(tx, [testEvent('undone')]);
        throw new Error('no');
      })
      .catch(() => undefined);
    await t.app.db.transaction(async (tx) => {
      announceAccessChanged(tx, [ana]);
      await recordEvents(tx, [testEvent('one'), testEvent('two')]);
    });
    await t.app.db.transaction((tx) => recordEvents(tx, [testEvent('three')]));
    await expect.poll(() => order).toEqual(['one', 'two', 'access', 'three']);
    stop();
    watch.close();
  });

  test('can be announced only within Database.transaction', async () => {
    const announcement = t.app.db.orm.transaction(async (tx) => announceAccessChanged(tx, [ana]));
    await expect(announcement).rejects.toThrow('Database.transaction');
  });
});
