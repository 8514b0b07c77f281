import { Code } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { HealthService } from '#proto/gen/hiber/health_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { readHealthState, saveHealth, copyHealthData } from '#server/testkit/health-levels.ts';
import { createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
let restoreHealth: () => Promise<void>;
beforeAll(async () => {
  t = await startTestServer();
  restoreHealth = await saveHealth(t);
});
beforeEach(() => restoreHealth());
afterAll(() => t.close());

const health = (kind: Parameters<TestServer['as']>[0] = 'administrator') => t.as(kind).client(HealthService);

const readScale = async (organization = 'northwind') =>
  (await health().list({ organization })).healthLevels.map(({ level, severity, catchAll }) => [
    level,
    Number(severity),
    catchAll,
  ]);

/** Counts the organization's devices by level. */
async function countDevices(organization = 'northwind'): Promise<Record<string, number>> {
  const { rows } = await t.app.db.orm.execute<{ level: string; count: number }>(sql`
    select health_level as level, count(*)::int as count from device where organization = ${organization}
    group by 1 order by 1`);
  return Object.fromEntries(rows.map(({ level, count }) => [level, count]));
}

describe('every change to health levels', () => {
  test('records an event that any member can see, only if something changed', async () => {
    const descriptions = async () =>
      (
        await t
          .as('viewer')
          .client(EventService)
          .history({ selection: { events: { include: [EventType.ORGANIZATION_EVENT_CONFIGURATION_UPDATED] } } })
      ).events.map(({ title, description }) => [title, description]);
    await health().reorder({ levels: ['Healthy', 'Build up', 'Alarm'] });
    await health().update({ level: 'Alarm', addColors: { text: 'red' } });
    expect(await descriptions()).toEqual([]);
    await health().add({ newHealthLevel: { level: 'Lost' } });
    await health().reorder({ levels: ['Healthy', 'Lost', 'Build up', 'Alarm'] });
    await health().update({ level: 'Lost', rename: 'Odd', addColors: { text: 'tan' } });
    await health().remove({ level: 'Odd' });
    expect(await descriptions()).toEqual([
      ['Health levels updated', 'Health level "Odd" was removed. "Alarm" replaces it.'],
      ['Health levels updated', 'Health level "Lost" was renamed to "Odd" and recolored.'],
      [
        'Health levels updated',
        'The order of health levels is now "Healthy", "Lost", "Build up", and "Alarm", from mild to severe.',
      ],
      ['Health levels updated', 'Health level "Lost" was added as the most severe.'],
    ]);
  });

  test('requires HEALTH_MANAGE in the named organization', async () => {
    const calls = (kind: Parameters<TestServer['as']>[0], organization?: string) => [
      () => health(kind).add({ organization, newHealthLevel: { level: 'X' } }),
      () => health(kind).update({ organization, level: 'Alarm', rename: 'Y' }),
      () => health(kind).reorder({ organization, levels: ['Alarm', 'Healthy', 'Build up'] }),
      () => health(kind).remove({ organization, level: 'Build up' }),
    ];
    for (const call of calls('viewer')) {
      await expect(call()).rejects.toMatchObject({
        code: Code.PermissionDenied,
        rawMessage: expect.stringContaining('HEALTH_MANAGE'),
      });
    }
    const identity = { id: 'outsider', email: 'outsider@example.com', name: 'Outsider' };
    await t.app.db.orm.insert(appUser).values({ ...identity, defaultOrganization: 'northwind-permian' });
    const roles = ['administrator'];
    await t.app.db.orm.insert(membership).values({ organization: 'northwind-permian', userId: 'outsider', roles });
    const outsiderClient = t.with(createIdToken(identity)).client(HealthService);
    await expect(outsiderClient.remove({ organization: 'northwind', level: 'Build up' })).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
    expect(await readScale()).toEqual([
      ['Healthy', 1, false],
      ['Build up', 2, false],
      ['Alarm', 3, true],
    ]);
  });

  test('causes no errors while devices send messages', async () => {
    const { rows } = await t.app.db.orm.execute<{ number: string }>(sql`
      select number from device where organization = 'northwind' and lifecycle = 1 order by number`);
    const push = (start: number) =>
      t
        .as('administrator')
        .client(TestingService)
        .pushModemMessages({ messages: rows.slice(start, start + 9).map(({ number }) => ({ modemNumber: number })) });
    await Promise.all([
      ...[0, 3, 6, 9, 12, 15, 18, 21].map(push),
      health()
        .reorder({ levels: ['Build up', 'Alarm', 'Healthy'] })
        .then(() => health().update({ level: 'Alarm', rename: 'Critical' }))
        .then(() => health().remove({ level: 'Build up' })),
      ...[24, 27, 0, 3, 6].map(push),
    ]);
    expect((await readScale()).map(([level]) => level)).toEqual(expect.not.arrayContaining(['Alarm', 'Build up']));
    expect(Object.keys(await countDevices())).toEqual(expect.not.arrayContaining(['Alarm', 'Build up']));
  });

  test('is serialized, so concurrent changes all take effect', async () => {
    await Promise.all(['One', 'Two', 'Three', 'Four'].map((level) => health().add({ newHealthLevel: { level } })));
    expect((await readScale()).map(([, severity]) => severity)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  // Runs last because it does not remove the copied data.
  test('affects only its own organization, even if another organization has the same ids', async () => {
    await copyHealthData(t, 'northwind-permian');
    const before = await readHealthState(t, 'northwind-permian');
    await health().add({ newHealthLevel: { level: 'Lost', catchAll: true } });
    await health().update({ level: 'Alarm', rename: 'Critical', updateCatchAll: true, addColors: { text: 'tan' } });
    await health().reorder({ levels: ['Critical', 'Lost', 'Build up', 'Healthy'] });
    await health().remove({ level: 'Healthy' });
    await health().remove({ level: 'Build up' });
    expect(await readHealthState(t, 'northwind-permian')).toEqual(before);
    const northwindState = await readHealthState(t, 'northwind');
    await health().update({ organization: 'northwind-permian', level: 'Alarm', rename: 'Lost' });
    await health().remove({ organization: 'northwind-permian', level: 'Healthy' });
    expect(await readHealthState(t, 'northwind')).toEqual(northwindState);
    expect(await readScale('northwind-permian')).toEqual([
      ['Build up', 1, false],
      ['Lost', 2, true],
    ]);
  });
});
