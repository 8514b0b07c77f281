import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it, vi } from 'vitest';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Database } from '#server/db/database.ts';
import { publisher } from '#server/db/schema/publisher.ts';
import { insertWebhooks, WEBHOOK_KIND } from '#server/publishing/targets/webhook/rows.ts';
import { silentLog } from '#server/base/log.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { type EventBus, openEventBus, type Subscriber } from './bus.ts';
import { EVENT_CHANNEL, RIGHTS_CHANNEL } from './channels.ts';
import { subscriptions } from '#server/publishing/fan-out.ts';
import { newEvent } from './new-event.ts';
import { recordEvents } from './record.ts';
import { rightsOf, tellRightsChanged } from './rights.ts';

const [here, there] = ['northwind', 'northwind-north'];

let t: TestServer;
let bus: EventBus;
let closed: boolean;
/** What the database calls when a notification comes, by channel. */
const notify = new Map<string, (payload: string) => void>();
let logged: string[];

beforeAll(async () => void (t = await startTestServer()));
beforeEach(async () => {
  const db: Database = {
    ...t.app.db,
    listen(channel, receive, missed) {
      notify.set(channel, receive);
      return t.app.db.listen(channel, receive, missed);
    },
  };
  logged = [];
  closed = false;
  bus = await openEventBus(db, { ...silentLog, error: (message) => void logged.push(message) });
});
afterEach(async () => {
  if (!closed) await bus.close();
});
afterAll(() => t.close());

const happen = (organization: string, ...titles: string[]) =>
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

/** What a subscriber hears, one text after the other. */
function listening(organizations: string[], only: (keyof Subscriber)[] = ['receive', 'missed', 'closed']) {
  const heard: string[] = [];
  const all: Required<Subscriber> = {
    receive: (events) => void heard.push(events.map(({ event }) => event.title).join(' ')),
    missed: () => void heard.push('missed'),
    closed: () => void heard.push('closed'),
  };
  const stop = bus.subscribe(organizations, {
    receive: all.receive,
    ...(only.includes('missed') && { missed: all.missed }),
    ...(only.includes('closed') && { closed: all.closed }),
  });
  return { heard, stop };
}

describe('subscribers of the bus', () => {
  it('hear what is stored in their organizations, together and in order, until they leave', async () => {
    const one = listening([here]);
    const both = listening([here, there]);
    const left = listening([here]);
    left.stop();
    await happen(here, 'a', 'b');
    await happen(there, 'c');
    await happen(here, 'd');
    await expect.poll(() => both.heard).toEqual(['a b', 'c', 'd']);
    expect(one.heard).toEqual(['a b', 'd']);
    expect(left.heard).toEqual([]);
  });

  it('hear nothing of events that are gone before they are read, which nobody reads where nobody listens', async () => {
    const one = listening([here]);
    await happen(here, 'a');
    await expect.poll(() => one.heard).toEqual(['a']);
    const read = vi.spyOn(t.app.db.orm, 'select');
    const gone = (organization: string) =>
      notify.get(EVENT_CHANNEL)?.(JSON.stringify({ organization, from: 0, to: Date.now(), ids: [-1] }));
    gone(there);
    gone(here);
    // Handled in turn, so those before it were by then.
    notify.get(RIGHTS_CHANNEL)?.('no notice');
    await expect.poll(() => one.heard).toEqual(['a', 'missed']);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('are told when the bus closes, and hear nothing more', async () => {
    const one = listening([here]);
    const quiet = listening([here], []);
    await bus.close();
    closed = true;
    expect(one.heard).toEqual(['closed']);
    await happen(here, 'late');
    notify.get(EVENT_CHANNEL)?.('also late');
    expect([one.heard, quiet.heard]).toEqual([['closed'], []]);
  });

  it.each([EVENT_CHANNEL, RIGHTS_CHANNEL])(
    'are told that they may have missed something when a notice on %s cannot be handled, and go on after it',
    async (channel) => {
      const one = listening([here]);
      const quiet = listening([here], []);
      let changes = 0;
      const watch = bus.watchRights();
      watch.over([rightsOf.user('ana')], () => (changes += 1));
      notify.get(channel)?.('no notice');
      await expect.poll(() => one.heard).toEqual(['missed']);
      expect(logged).toEqual(['A notice of the database could not be handled.']);
      expect(changes).toBe(1);
      await happen(here, 'after');
      await expect.poll(() => one.heard).toEqual(['missed', 'after']);
      expect(quiet.heard).toEqual(['after']);
      watch.close();
    },
  );
});

describe('changes of rights', () => {
  it('reach everybody they are about, also many with short names', async () => {
    const subjects = Array.from({ length: 3000 }, (_, index) => rightsOf.user(`${index}`));
    const all = subjects.map((subject) => new Promise<void>((resolve) => bus.watchRights().over([subject], resolve)));
    await t.app.db.transaction(async (tx) => {
      tellRightsChanged(tx, []);
      tellRightsChanged(tx, subjects.slice(0, 1));
      tellRightsChanged(tx, subjects.slice(1));
    });
    await expect(Promise.all(all)).resolves.toHaveLength(3000);
  });
});

describe('the webhooks that may want an event', () => {
  it('are those of its organization that are not disabled', async () => {
    const url = 'https://nowhere.example/';
    await t.app.db.orm.delete(publisher);
    await insertWebhooks(t.app.db.orm, [
      { organization: here, id: 1, url },
      { organization: here, id: 2, url, disabled: true },
      { organization: here, id: 3, url, healthLevels: ['Alarm'] },
      { organization: there, id: 1, url },
      { organization: 'northwind-permian', id: 4, url },
    ]);
    const found = await t.app.db.transaction((tx) => subscriptions(tx, [here, there], [WEBHOOK_KIND]));
    const ids = [...found].map(([where, all]) => [where, new Set(all.map((subscription) => subscription.publisher))]);
    expect(Object.fromEntries(ids)).toEqual({ [here]: new Set([1, 3]), [there]: new Set([1]) });
  });
});
