import type { DescMethod } from '@bufbuild/protobuf';
import { asc, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { silentLog } from '#server/base/log.ts';
import { organization } from '#server/db/schema/organization.ts';
import { userActivity } from '#server/db/schema/sign-in.ts';
import { appUser } from '#server/db/schema/user.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { openActivityLog } from './activity.ts';

const [acme, otherOrganization] = ['activity-acme', 'activity-other'];
const [ana, bob] = ['ana', 'bob'];
const DAY = 24 * 3_600_000;
const { list, create } = TagService.method;

interface TestCall {
  readonly organization?: string;
  readonly user?: string;
  readonly client?: string;
  readonly method?: DescMethod;
}

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer({ isEmpty: true });
  const { orm } = t.app.db;
  await orm.insert(organization).values([acme, otherOrganization].map((id) => ({ id, path: [id], displayName: id })));
  await orm.insert(appUser).values([ana, bob].map((id) => ({ id, email: `${id}@example.com`, name: id })));
});
afterEach(async () => {
  vi.useRealTimers();
  await t.app.db.orm.delete(userActivity);
});
afterAll(() => t.close());

const start = Date.UTC(2026, 10, 20, 23, 59);
function openLog(db = t.app.db) {
  let time = start;
  const log = openActivityLog({ db, log: silentLog, now: () => new Date(time) });
  const call = ({ organization = acme, user = ana, client = '', method = list }: TestCall = {}) =>
    log.record({ organization, session: { user: { id: user }, client } }, method);
  return { log, call, advance: (ms: number) => void (time += ms) };
}
const readActivity = () =>
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

describe('the activity log', () => {
  test('counts calls by organization, user, day, method, and client', async () => {
    const { log, call, advance } = openLog();
    call();
    call();
    call({ organization: otherOrganization });
    call({ user: bob });
    call({ method: create });
    call({ client: 'quarterdeck-cli' });
    advance(DAY);
    call();
    await log.close();
    expect(await readActivity()).toEqual([
      { ...row, action: 'TagService.Create' },
      { ...row, requests: 2 },
      { ...row, client: 'quarterdeck-cli' },
      { ...row, date: '2026-11-21' },
      { ...row, userId: bob },
      { ...row, organization: otherOrganization },
    ]);
  });

  test('counts known clients by name and all others under an empty name', async () => {
    const { log, call } = openLog();
    const clients = ['console', 'cli', 'app'].map((name) => `quarterdeck-${name}`);
    for (const client of [...clients, 'mission-control', 'hiber-cli', 'hiber-app', 'mine', 'theirs']) call({ client });
    await log.close();
    const rows = (await readActivity()).map(({ client, requests }) => [client, requests]);
    expect(Object.fromEntries(rows)).toEqual({
      '': 2,
      ...Object.fromEntries(clients.map((name) => [name, 1])),
      'mission-control': 1,
      'hiber-cli': 1,
      'hiber-app': 1,
    });
  });

  test('adds to stored counts and stores each call once', async () => {
    const { log, call } = openLog();
    call();
    await log.flush();
    await log.flush();
    call();
    call();
    await log.close();
    expect(await readActivity()).toEqual([{ ...row, requests: 3 }]);
  });

  test('retries failed writes together with later calls', async () => {
    const execute = vi.spyOn(t.app.db.orm, 'execute').mockRejectedValueOnce(new Error('The disk is full.'));
    const { log, call } = openLog();
    call();
    call({ user: bob });
    await log.flush();
    expect(await readActivity()).toEqual([]);
    call();
    await log.close();
    expect(await readActivity()).toEqual([
      { ...row, requests: 2 },
      { ...row, userId: bob },
    ]);
    execute.mockRestore();
  });

  test('skips deleted accounts and unknown organizations, and stores the other counts', async () => {
    const { log, call } = openLog();
    call({ organization: 'never-was' });
    call({ user: 'nobody' });
    call({ user: bob });
    call();
    await t.app.db.orm.update(appUser).set({ deletedAt: t.app.now() }).where(eq(appUser.id, bob));
    await log.close();
    expect(await readActivity()).toEqual([row]);
    await t.app.db.orm.update(appUser).set({ deletedAt: null }).where(eq(appUser.id, bob));
  });
});

describe('flushing the activity log', () => {
  test('runs every five seconds until the log is closed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { log, call } = openLog();
    call({ method: EventService.method.list });
    vi.advanceTimersByTime(4999);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(await readActivity()).toEqual([]);
    vi.advanceTimersByTime(1);
    await expect.poll(readActivity).toEqual([{ ...row, action: 'EventService.List' }]);
    await log.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('does not keep an otherwise idle process alive', async () => {
    const timerCount = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timerCount();
    const { log } = openLog();
    expect(timerCount()).toBe(before);
    await log.close();
  });
});
