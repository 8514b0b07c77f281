import { Code } from '@connectrpc/connect';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { userActivity } from '#server/db/schema/sign-in.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { createClients } from '#server/testkit/users.ts';

import { deleteOldActivity } from './activity-upkeep.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const summarize = async (request: object) =>
  (await createClients(t.as('administrator')).users.activity({ userId: 'demo-viewer', ...request })).summaries;
const today = () => t.app.now().toISOString().slice(0, 10);

describe("a user's activity", () => {
  test('is listed per day, with the clients they used', async () => {
    const tags = t.as('viewer').client(TagService);
    await tags.list({}, { headers: { 'x-client-name': 'quarterdeck-console' } });
    await tags.list({}, { headers: { 'x-client-name': 'quarterdeck-cli' } });
    await t.as('viewer').client(OrganizationService).get({ organization: 'northwind-north' });
    const [first, ...others] = await summarize({});
    expect(first).toMatchObject({
      organization: 'northwind',
      actions: ['TagService.List'],
      totalRequests: 2,
      usedMissionControl: true,
      usedHiberCli: true,
      usedHiberApp: false,
      date: { textual: today() },
    });
    expect(others).toEqual([]);
    const withDescendants = await summarize({ childOrganizations: { includeAll: true } });
    expect(withDescendants.map(({ organization, actions }) => [organization, actions])).toEqual([
      ['northwind', ['TagService.List']],
      ['northwind-north', ['OrganizationService.Get']],
    ]);
    const { users } = await createClients(t.as('administrator')).users.list({
      selection: { userIds: ['demo-viewer'] },
    });
    expect(users[0]?.lastActivity?.textual).toBe(today());
  });

  test('accumulates across flushes and omits rejected calls', async () => {
    await t.as('viewer').client(TagService).list({});
    await expect(createClients(t.as('viewer')).users.list({})).rejects.toMatchObject({ code: Code.PermissionDenied });
    await expect(summarize({})).resolves.toMatchObject([{ totalRequests: 3, actions: ['TagService.List'] }]);
  });

  test('has one row for all unknown clients', async () => {
    const tags = t.as('operator').client(TagService);
    for (const name of ['mine-1', 'mine-2']) await tags.list({}, { headers: { 'x-client-name': name } });
    await t.app.activity.flush();
    const rows = await t.app.db.orm.select().from(userActivity).where(eq(userActivity.userId, 'demo-operator'));
    expect(rows).toMatchObject([{ action: 'TagService.List', client: '', requests: 2 }]);
  });

  test("is empty for a day without activity and can't be requested for an invalid date", async () => {
    const dates = [{ year: 2026, month: 2, day: 28 }, { textual: '2026-02-28' }];
    await expect(summarize({ dates })).resolves.toMatchObject([{ totalRequests: 0, actions: [] }]);
    await expect(summarize({ dates: [{ textual: '2026-02-31' }] })).rejects.toThrow('"dates[0]" isn\'t a date');
    await expect(summarize({ userId: '' })).rejects.toMatchObject({ code: Code.InvalidArgument });
  });
});

test('deletes activity after 400 days', async () => {
  await t.app.activity.flush();
  await deleteOldActivity({ db: t.app.db, now: () => new Date(t.app.now().getTime() + 401 * 24 * 3600 * 1000) });
  expect(await t.app.db.orm.select().from(userActivity)).toEqual([]);
});
