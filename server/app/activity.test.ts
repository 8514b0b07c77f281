import type { DescMethod } from '@bufbuild/protobuf';
import { asc, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { organization } from '#server/db/schema/organization.ts';
import { userActivity } from '#server/db/schema/sign-in.ts';
import { appUser } from '#server/db/schema/user.ts';
import { silentLog } from '#server/base/log.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { openActivityLog } from './activity.ts';

const [acme, other] = ['activity-acme', 'activity-other'];
const [ana, bob] = ['ana', 'bob'];
const DAY = 24 * 3_600_000;
const { list, create } = TagService.method;

interface Noted {
  readonly where?: string;
  readonly user?: string;
  readonly client?: string;
  readonly method?: DescMethod;
}

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer({ empty: true });
  const { orm } = t.app.db;
  await orm.insert(organization).values([acme, other].map((id) => ({ id, path: [id], displayName: id })));
  await orm.insert(appUser).values([ana, bob].map((id) => ({ id, email: `${id}@example.com`, name: id })));
});
afterEach(async () => {
  vi.useRealTimers();
  await t.app.db.orm.delete(userActivity);
});
afterAll(() => t.close());

const start = Date.UTC(2026, 10, 20, 23, 59);
function opened(db = t.app.db) {
  let time = start;
  const log = openActivityLog({ db, log: silentLog, now: () => new Date(time) });
  const note = ({ where = acme, user = ana, client = '', method = list }: Noted = {}) =>
    log.record({ organization: where, session: { user: { id: user }, client } }, method);
  return { log, note, wait: (ms: number) => void (time += ms) };
}
const stored = () =>
  t.app.db.orm
    .select()
    .from(userActivity)
    .orderBy(
      asc(userActivity.organization),
      asc(userActivity.userId),
      asc(userActivity.date),
      asc(userActivity.action),
      asc(userActivity.client),
    );
const row = { organization: acme, userId: ana, date: '2026-11-20', action: 'TagService.List', client: '', requests: 1 };

describe('calls are counted', () => {
  it('apart by organization, person, day, what was called, and program', async () => {
    const { log, note, wait } = opened();
    note();
    note();
    note({ where: other });
    note({ user: bob });
    note({ method: create });
    note({ client: 'quarterdeck-cli' });
    wait(DAY);
    note();
    await log.close();
    expect(await stored()).toEqual([
      { ...row, action: 'TagService.Create' },
      { ...row, requests: 2 },
      { ...row, client: 'quarterdeck-cli' },
      { ...row, date: '2026-11-21' },
      { ...row, userId: bob },
      { ...row, organization: other },
    ]);
  });

  it('by the names that our programs and those of the contract have, and without any other', async () => {
    const { log, note } = opened();
    const known = ['console', 'cli', 'app'].map((name) => `quarterdeck-${name}`);
    for (const client of [...known, 'mission-control', 'hiber-cli', 'hiber-app', 'mine', 'theirs']) note({ client });
    await log.close();
    const rows = (await stored()).map(({ client, requests }) => [client, requests]);
    expect(Object.fromEntries(rows)).toEqual({
      '': 2,
      ...Object.fromEntries(known.map((name) => [name, 1])),
      'mission-control': 1,
      'hiber-cli': 1,
      'hiber-app': 1,
    });
  });

  it('on top of what was stored before, and once only', async () => {
    const { log, note } = opened();
    note();
    await log.flush();
    await log.flush();
    note();
    note();
    await log.close();
    expect(await stored()).toEqual([{ ...row, requests: 3 }]);
  });

  it('again when they could not be stored, together with those made since', async () => {
    const execute = vi.spyOn(t.app.db.orm, 'execute').mockRejectedValueOnce(new Error('The disk is full.'));
    const { log, note } = opened();
    note();
    note({ user: bob });
    await log.flush();
    expect(await stored()).toEqual([]);
    note();
    await log.close();
    expect(await stored()).toEqual([
      { ...row, requests: 2 },
      { ...row, userId: bob },
    ]);
    execute.mockRestore();
  });

  it('but not of an account or an organization that is gone by then, which keeps nothing else back', async () => {
    const { log, note } = opened();
    note({ where: 'never-was' });
    note({ user: 'nobody' });
    note({ user: bob });
    note();
    await t.app.db.orm.update(appUser).set({ deletedAt: t.app.now() }).where(eq(appUser.id, bob));
    await log.close();
    expect(await stored()).toEqual([row]);
    await t.app.db.orm.update(appUser).set({ deletedAt: null }).where(eq(appUser.id, bob));
  });
});

describe('what was counted is stored', () => {
  it('every five seconds until the log is closed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { log, note } = opened();
    note({ method: EventService.method.list });
    vi.advanceTimersByTime(4999);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(await stored()).toEqual([]);
    vi.advanceTimersByTime(1);
    await expect.poll(stored).toEqual([{ ...row, action: 'EventService.List' }]);
    await log.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('without keeping a process alive that has nothing else to do', async () => {
    const waiting = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = waiting();
    const { log } = opened();
    expect(waiting()).toBe(before);
    await log.close();
  });
});
