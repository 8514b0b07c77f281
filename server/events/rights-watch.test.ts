import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { newEvent } from './new-event.ts';
import { recordEvents } from './record.ts';
import { rightsOf, tellRightsChanged } from './rights.ts';
import { RightsWatches } from './rights-watch.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';

const ana = rightsOf.user('ana');
const bob = rightsOf.user('bob');

describe('a watch', () => {
  const watching = (...subjects: (typeof ana)[]) => {
    const watches = new RightsWatches();
    const watch = watches.open();
    let calls = 0;
    return { watches, watch, narrow: () => watch.over(subjects, () => (calls += 1)), calls: () => calls };
  };

  it('tells of a change of its subjects after it is narrowed, and of one before as soon as it is', () => {
    const later = watching(ana);
    later.narrow();
    later.watches.changed([bob]);
    expect(later.calls()).toBe(0);
    later.watches.changed([bob, ana]);
    expect(later.calls()).toBe(1);

    const before = watching(ana);
    before.watches.changed([ana]);
    expect(before.calls()).toBe(0);
    before.narrow();
    expect(before.calls()).toBe(1);

    const others = watching(ana);
    others.watches.changed([bob]);
    others.narrow();
    expect(others.calls()).toBe(0);
  });

  it('takes everything for changed when notices were lost, or were too many to remember', () => {
    const lost = watching(ana);
    lost.watches.changed('all');
    lost.narrow();
    expect(lost.calls()).toBe(1);
    lost.watches.changed('all');
    expect(lost.calls()).toBe(2);

    const many = watching(ana);
    many.watches.changed(Array.from({ length: 10_001 }, (_, index) => rightsOf.user(`${index}`)));
    many.narrow();
    expect(many.calls()).toBe(1);
  });

  it('tells nothing once it is closed', () => {
    const closed = watching(ana);
    closed.narrow();
    closed.watch.close();
    closed.watches.changed([ana]);
    expect(closed.calls()).toBe(0);
  });
});

describe('a change of rights', () => {
  let t: TestServer;
  beforeAll(async () => void (t = await startTestServer()));
  afterAll(() => t.close());

  const changeOf = (subject: typeof ana) =>
    new Promise<void>((resolve) => t.app.bus.watchRights().over([subject], resolve));

  it('reaches everybody it is about, however many', async () => {
    const long = (index: number) => rightsOf.user(`${index}-${'ü'.repeat(120)}`);
    const everybody = Array.from({ length: 300 }, (_, index) => long(index));
    const told = Promise.all(everybody.map(changeOf));
    await t.app.db.transaction(async (tx) => tellRightsChanged(tx, everybody));
    await expect(told).resolves.toHaveLength(300);
  });

  it('is told after the events of its transaction, and not when that is undone', async () => {
    const order: string[] = [];
    const stop = t.app.bus.subscribe(['northwind'], {
      receive: (events) => order.push(...events.map(({ event }) => event.title)),
    });
    const watch = t.app.bus.watchRights();
    watch.over([ana], () => order.push('rights'));
    const about = (title: string) =>
      newEvent(
        { organization: 'northwind', time: t.app.now(), type: EventType.USER_REMOVED, title, description: '' },
        (common) => ({ case: 'userRemoved', value: { ...common, user: 'ana' } }),
      );
    await t.app.db
      .transaction(async (tx) => {
        tellRightsChanged(tx, [ana]);
        await recordEvents(tx, [about('undone')]);
        throw new Error('no');
      })
      .catch(() => undefined);
    await t.app.db.transaction(async (tx) => {
      tellRightsChanged(tx, [ana]);
      await recordEvents(tx, [about('one'), about('two')]);
    });
    await t.app.db.transaction((tx) => recordEvents(tx, [about('three')]));
    await expect.poll(() => order).toEqual(['one', 'two', 'rights', 'three']);
    stop();
    watch.close();
  });

  it('cannot be told outside a transaction that tells it at its end', async () => {
    const direct = t.app.db.orm.transaction(async (tx) => tellRightsChanged(tx, [ana]));
    await expect(direct).rejects.toThrow('Database.transaction');
  });
});
