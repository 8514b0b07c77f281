import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { supportSession } from '#server/db/schema/support.ts';
import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';

import { updateSupportSession, findOrBeginSupportSession, findOpenSupportSession } from './support-sessions.ts';

const HOUR = 3_600_000;
const now = new Date('2026-11-20T10:00:00Z');
const timeAt = (ms: number) => new Date(now.getTime() + ms);
const staff = { organization: 'northwind', userId: demoPerson('support').id };

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
beforeEach(() => t.app.db.orm.delete(supportSession));
afterAll(() => t.close());

const insertSession = (id: number, endsAt: Date, overrides = {}) =>
  t.app.db.orm.insert(supportSession).values({ ...staff, id, beganAt: now, endsAt, ...overrides });
const findOpenId = async () => (await findOpenSupportSession(t.app.db.orm, staff, now))?.id;

describe('a support session', () => {
  test('lasts an hour and is reused until then', async () => {
    const session = await findOrBeginSupportSession(t.app.db, staff, now);
    expect(session).toMatchObject({ ...staff, beganAt: now, endsAt: timeAt(HOUR), changesAllowedAt: null });
    expect((await findOrBeginSupportSession(t.app.db, staff, timeAt(HOUR - 1))).id).toBe(session.id);
    const next = await findOrBeginSupportSession(t.app.db, staff, timeAt(HOUR));
    expect(next).toMatchObject({ id: session.id + 1, endsAt: timeAt(2 * HOUR) });
  });

  test('is created only once, even with concurrent calls', async () => {
    const sessions = await Promise.all(
      Array.from({ length: 5 }, () => findOrBeginSupportSession(t.app.db, staff, now)),
    );
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(1);
    expect(await t.app.db.orm.select().from(supportSession)).toHaveLength(1);
  });

  test('is the open session of the same user and organization that ends last', async () => {
    expect(await findOpenId()).toBeUndefined();
    await insertSession(901, now);
    expect(await findOpenId()).toBeUndefined();
    await insertSession(902, timeAt(3 * HOUR), { organization: 'northwind-north' });
    await insertSession(903, timeAt(3 * HOUR), { userId: 'demo-developer' });
    expect(await findOpenId()).toBeUndefined();
    await insertSession(905, timeAt(1));
    expect(await findOpenId()).toBe(905);
    await insertSession(904, timeAt(2));
    expect(await findOpenId()).toBe(904);
    await insertSession(906, timeAt(2));
    expect(await findOpenId()).toBe(906);
  });

  test('is updated without affecting others, and only if it exists', async () => {
    await insertSession(901, timeAt(1));
    await insertSession(902, timeAt(1));
    await insertSession(901, timeAt(1), { organization: 'northwind-north' });
    const [first] = await t.app.db.orm.select().from(supportSession);
    const changed = await updateSupportSession(
      t.app.db.orm,
      { ...first!, organization: 'northwind', id: 901 },
      { reason: 'Ticket' },
      now,
    );
    expect(changed).toMatchObject({ organization: 'northwind', id: 901, reason: 'Ticket' });
    const sessions = await t.app.db.orm.select().from(supportSession);
    expect(sessions.filter(({ reason }) => reason === 'Ticket')).toHaveLength(1);
    const update = updateSupportSession(t.app.db.orm, { ...first!, id: 999 }, { reason: 'Ticket' }, now);
    await expect(update).resolves.toBeUndefined();
  });

  test("can't be renewed once it has ended", async () => {
    await insertSession(901, timeAt(1));
    const [session] = await t.app.db.orm.select().from(supportSession);
    const renew = (time: Date) => updateSupportSession(t.app.db.orm, session!, { endsAt: timeAt(9 * HOUR) }, time);
    await expect(renew(timeAt(1))).resolves.toBeUndefined();
    await expect(renew(timeAt(0))).resolves.toMatchObject({ id: 901, endsAt: timeAt(9 * HOUR) });
  });
});
