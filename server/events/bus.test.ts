import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { silentLog } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';
import { publisher } from '#server/db/schema/publisher.ts';
import { findSubscriptions } from '#server/publishing/fan-out.ts';
import { insertWebhooks, WEBHOOK_KIND } from '#server/publishing/targets/webhook/rows.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { accessSubject, announceAccessChanged } from './access.ts';
import { type EventBus, openEventBus, type Subscriber } from './bus.ts';
import { EVENT_CHANNEL, ACCESS_CHANNEL } from './channels.ts';
import { newEvent } from './new-event.ts';
import { recordEvents } from './record.ts';

const [parent, child] = ['northwind', 'northwind-north'];

let t: TestServer;
let bus: EventBus;
let isClosed: boolean;
/** The callbacks for database notifications, keyed by channel. */
const notify = new Map<string, (payload: string) => void>();
let loggedErrors: string[];

beforeAll(async () => void (t = await startTestServer()));
beforeEach(async () => {
  const db: Database = {
    ...t.app.db,
    listen(channel, receive, onMiss) {
      notify.set(channel, receive);
      return t.app.db.listen(channel, receive, onMiss);
    },
  };
  loggedErrors = [];
  isClosed = false;
  bus = await openEventBus(db, { ...silentLog, error: (message) => void loggedErrors.push(message) });
});
afterEach(async () => {
  if (!isClosed) await bus.close();
});
afterAll(() => t.close());

const recordTestEvents = (organization: string, ...titles: string[]) =>
  t.app.db.transaction((tx) =>
    recordEvents(
      tx,
      titles.map((title) =>
        newEvent(
          { organization, time: t.app.now(), type: EventType.USER_REMOVED, title, description: '' },
          (common) => ({ case: 'userRemoved', value: { ...common, user: 'ana' } }),
        ),
      ),
    ),
  );

/** Subscribes, and records everything the subscriber receives, as strings. */
function subscribe(organizations: string[], handlers: (keyof Subscriber)[] = ['receive', 'onMiss', 'onClose']) {
  const received: string[] = [];
  const defaults: Required<Subscriber> = {
    receive: (events) => void received.push(events.map(({ event }) => event.title).join(' ')),
    onMiss: () => void received.push('missed'),
    onClose: () => void received.push('closed'),
  };
  const stop = bus.subscribe(organizations, {
    receive: defaults.receive,
    ...(handlers.includes('onMiss') && { onMiss: defaults.onMiss }),
    ...(handlers.includes('onClose') && { onClose: defaults.onClose }),
  });
  return { received, stop };
}

describe('bus subscribers', () => {
  test('receive the events of their organizations in order, until they unsubscribe', async () => {
    const listener = subscribe([parent]);
    const parentAndChild = subscribe([parent, child]);
    const endedSubscription = subscribe([parent]);
    endedSubscription.stop();
    await recordTestEvents(parent, 'a', 'b');
    await recordTestEvents(child, 'c');
    await recordTestEvents(parent, 'd');
    await expect.poll(() => parentAndChild.received).toEqual(['a b', 'c', 'd']);
    expect(listener.received).toEqual(['a b', 'd']);
    expect(endedSubscription.received).toEqual([]);
  });

  test('receive nothing for deleted events, and the bus reads events only if someone subscribed', async () => {
    const listener = subscribe([parent]);
    await recordTestEvents(parent, 'a');
    await expect.poll(() => listener.received).toEqual(['a']);
    const select = vi.spyOn(t.app.db.orm, 'select');
    const announceDeleted = (organization: string) =>
      notify.get(EVENT_CHANNEL)?.(JSON.stringify({ organization, from: 0, to: Date.now(), ids: [-1] }));
    announceDeleted(child);
    announceDeleted(parent);
    // Notices are handled in order, so the earlier notices are handled before this notice.
    notify.get(ACCESS_CHANNEL)?.('not a notice');
    await expect.poll(() => listener.received).toEqual(['a', 'missed']);
    expect(select).toHaveBeenCalledTimes(1);
  });

  test('receive "closed" when the bus closes, and nothing after that', async () => {
    const listener = subscribe([parent]);
    const quietSubscription = subscribe([parent], []);
    await bus.close();
    isClosed = true;
    expect(listener.received).toEqual(['closed']);
    await recordTestEvents(parent, 'late');
    notify.get(EVENT_CHANNEL)?.('also late');
    expect([listener.received, quietSubscription.received]).toEqual([['closed'], []]);
  });

  test.each([EVENT_CHANNEL, ACCESS_CHANNEL])(
    'receive "missed" when a notice on %s can\'t be handled, then continue',
    async (channel) => {
      const listener = subscribe([parent]);
      const quietSubscription = subscribe([parent], []);
      let changes = 0;
      const watch = bus.watchAccess();
      watch.watch([accessSubject.user('ana')], () => (changes += 1));
      notify.get(channel)?.('not a notice');
      await expect.poll(() => listener.received).toEqual(['missed']);
      expect(loggedErrors).toEqual(["A database notification couldn't be handled."]);
      expect(changes).toBe(1);
      await recordTestEvents(parent, 'after');
      await expect.poll(() => listener.received).toEqual(['missed', 'after']);
      expect(quietSubscription.received).toEqual(['after']);
      watch.close();
    },
  );
});

describe('access changes', () => {
  test('reach every watched subject, even if there are thousands', async () => {
    const subjects = Array.from({ length: 3000 }, (_, index) => accessSubject.user(`${index}`));
    const notices = subjects.map(
      (subject) => new Promise<void>((resolve) => bus.watchAccess().watch([subject], resolve)),
    );
    await t.app.db.transaction(async (tx) => {
      announceAccessChanged(tx, []);
      announceAccessChanged(tx, subjects.slice(0, 1));
      announceAccessChanged(tx, subjects.slice(1));
    });
    await expect(Promise.all(notices)).resolves.toHaveLength(3000);
  });
});

describe('webhook subscriptions', () => {
  test('are the enabled webhooks of the organization', async () => {
    const url = 'https://nowhere.example/';
    await t.app.db.orm.delete(publisher);
    await insertWebhooks(t.app.db.orm, [
      { organization: parent, id: 1, url },
      { organization: parent, id: 2, url, disabled: true },
      { organization: parent, id: 3, url, healthLevels: ['Alarm'] },
      { organization: child, id: 1, url },
      { organization: 'northwind-permian', id: 4, url },
    ]);
    const byOrganization = await t.app.db.transaction((tx) => findSubscriptions(tx, [parent, child], [WEBHOOK_KIND]));
    const ids = [...byOrganization].map(([organization, organizationSubscriptions]) => [
      organization,
      new Set(organizationSubscriptions.map(({ publisher }) => publisher)),
    ]);
    expect(Object.fromEntries(ids)).toEqual({ [parent]: new Set([1, 3]), [child]: new Set([1]) });
  });
});
