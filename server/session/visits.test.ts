import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { supportVisit } from '#server/db/schema/support.ts';
import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';
import { changeVisit, openOrBegin, openVisit } from './visits.ts';

const HOUR = 3_600_000;
const now = new Date('2026-11-20T10:00:00Z');
const at = (ms: number) => new Date(now.getTime() + ms);
const visitor = { organization: 'northwind', userId: demoPerson('support').id };

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
beforeEach(() => t.app.db.orm.delete(supportVisit));
afterAll(() => t.close());

const visit = (id: number, endsAt: Date, more = {}) =>
  t.app.db.orm.insert(supportVisit).values({ ...visitor, id, beganAt: now, endsAt, ...more });
const open = async () => (await openVisit(t.app.db.orm, visitor, now))?.id;

describe('a visit of support staff', () => {
  it('lasts an hour, and is the same one until then', async () => {
    const begun = await openOrBegin(t.app.db, visitor, now);
    expect(begun).toMatchObject({ ...visitor, beganAt: now, endsAt: at(HOUR), changesAllowedAt: null });
    expect((await openOrBegin(t.app.db, visitor, at(HOUR - 1))).id).toBe(begun.id);
    const next = await openOrBegin(t.app.db, visitor, at(HOUR));
    expect(next).toMatchObject({ id: begun.id + 1, endsAt: at(2 * HOUR) });
  });

  it('is one, however many calls begin it at once', async () => {
    const begun = await Promise.all(Array.from({ length: 5 }, () => openOrBegin(t.app.db, visitor, now)));
    expect(new Set(begun.map(({ id }) => id)).size).toBe(1);
    expect(await t.app.db.orm.select().from(supportVisit)).toHaveLength(1);
  });

  it('is the one that ends last of those that are open, of this visitor to this organization', async () => {
    expect(await open()).toBeUndefined();
    await visit(901, now);
    expect(await open()).toBeUndefined();
    await visit(902, at(3 * HOUR), { organization: 'northwind-north' });
    await visit(903, at(3 * HOUR), { userId: 'demo-developer' });
    expect(await open()).toBeUndefined();
    await visit(905, at(1));
    expect(await open()).toBe(905);
    await visit(904, at(2));
    expect(await open()).toBe(904);
    await visit(906, at(2));
    expect(await open()).toBe(906);
  });

  it('is changed alone, and not when it is gone', async () => {
    await visit(901, at(1));
    await visit(902, at(1));
    await visit(901, at(1), { organization: 'northwind-north' });
    const [first] = await t.app.db.orm.select().from(supportVisit);
    const changed = await changeVisit(
      t.app.db.orm,
      { ...first!, organization: 'northwind', id: 901 },
      { reason: 'Ticket' },
    );
    expect(changed).toMatchObject({ organization: 'northwind', id: 901, reason: 'Ticket' });
    const all = await t.app.db.orm.select().from(supportVisit);
    expect(all.filter(({ reason }) => reason === 'Ticket')).toHaveLength(1);
    const gone = changeVisit(t.app.db.orm, { ...first!, id: 999 }, { reason: 'Ticket' });
    await expect(gone).rejects.toThrow('The visit 999');
  });
});
