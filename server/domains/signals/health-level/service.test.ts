import { Code } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { HealthService } from '#proto/gen/hiber/health_pb.ts';
import { ListModemsRequest_Sort, ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { saveHealth } from '#server/testkit/health-levels.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
let restoreHealth: () => Promise<void>;
beforeAll(async () => {
  t = await startTestServer();
  restoreHealth = await saveHealth(t);
});
beforeEach(() => restoreHealth());
afterAll(() => t.close());

/** Matches any sentence. */
const sentence = expect.stringMatching(/^[A-Z].+\.$|^northwind/);

const health = (kind: Parameters<TestServer['as']>[0] = 'administrator') => t.as(kind).client(HealthService);
const names = (levels: readonly { level: string }[]) => levels.map(({ level }) => level);
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

const readAlarms = async () =>
  (
    await t
      .as('administrator')
      .client(EventService)
      .history({ selection: { events: { include: [EventType.ALARM_TRIGGERED] } }, pagination: { size: 100 } })
  ).events;

describe('listing', () => {
  test('sorts mildest first, and selects by name and color', async () => {
    const levels = async (selection = {}) =>
      (await health('viewer').list({ selection })).healthLevels.map(({ level, severity }) => [level, severity]);
    expect(await levels()).toEqual([
      ['Healthy', 1n],
      ['Build up', 2n],
      ['Alarm', 3n],
    ]);
    expect(await levels({ search: 'BUILD' })).toEqual([['Build up', 2n]]);
    expect(await levels({ search: 'PaleGreen' })).toEqual([['Healthy', 1n]]);
    expect(await levels({ levels: ['Alarm', 'alarm'] })).toEqual([['Alarm', 3n]]);
  });
});

describe('adding', () => {
  test('appends the level as the most severe, ignoring the given severity', async () => {
    const before = await countDevices();
    const { healthLevels } = await health().add({
      newHealthLevel: { level: ' Critical ', severity: 1n, colorData: { text: 'purple', ring: 'plum' } },
    });
    expect(names(healthLevels)).toEqual(['Healthy', 'Build up', 'Alarm', 'Critical']);
    expect(healthLevels[3]).toMatchObject({
      severity: 4n,
      catchAll: false,
      color: 'purple',
      colorData: { text: 'purple', ring: 'plum' },
    });
    expect(await countDevices()).toEqual(before);
  });

  test('can replace the catch-all and accepts the deprecated color', async () => {
    const { healthLevels } = await health().add({ newHealthLevel: { level: 'Lost', catchAll: true, color: 'black' } });
    expect(healthLevels.map(({ catchAll }) => catchAll)).toEqual([false, false, false, true]);
    expect(healthLevels[3]?.colorData).toEqual({ text: 'black' });
  });

  test('rejects invalid levels and explains why', async () => {
    const addError = async (newHealthLevel?: Parameters<ReturnType<typeof health>['add']>[0]['newHealthLevel']) =>
      health()
        .add({ newHealthLevel })
        .then(
          () => undefined,
          (error: { code: Code; rawMessage: string }) => [error.code, error.rawMessage],
        );
    expect(await addError()).toEqual([Code.InvalidArgument, 'Specify the health level to add as new_health_level.']);
    expect(await addError({ level: ' ' })).toEqual([Code.InvalidArgument, 'A health level needs a name.']);
    expect(await addError({ level: 'x'.repeat(101) })).toMatchObject([Code.InvalidArgument, sentence]);
    expect(await addError({ level: 'a\u0007b' })).toMatchObject([Code.InvalidArgument, sentence]);
    expect(await addError({ level: 'Alarm' })).toEqual([
      Code.AlreadyExists,
      'northwind already has a health level "Alarm".',
    ]);
    const colors = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`c${index}`, 'red']));
    expect(await addError({ level: 'X', colorData: colors })).toMatchObject([Code.InvalidArgument, sentence]);
    expect(await addError({ level: 'X', colorData: { text: 'x'.repeat(101) } })).toMatchObject([
      Code.InvalidArgument,
      sentence,
    ]);
    expect(await addError({ level: 'X', colorData: { ' ': 'red' } })).toMatchObject([Code.InvalidArgument, sentence]);
    for (let count = 4; count <= 32; count += 1) await health().add({ newHealthLevel: { level: `Level ${count}` } });
    expect(await addError({ level: 'One too many' })).toMatchObject([Code.FailedPrecondition, sentence]);
    expect(await readScale()).toHaveLength(32);
  });
});

describe('reordering', () => {
  test('updates the severity in devices, sort orders, tags, and events', async () => {
    const { reorderedHealthLevels } = await health().reorder({ levels: ['Build up', 'Alarm', 'Healthy'] });
    expect(names(reorderedHealthLevels)).toEqual(['Build up', 'Alarm', 'Healthy']);
    expect(reorderedHealthLevels.map(({ severity }) => severity)).toEqual([1n, 2n, 3n]);
    // Devices without a condition now have another level, because they always have the mildest one.
    expect(Object.keys(await countDevices())).toEqual(['Alarm', 'Build up']);
    const response = await t
      .as('viewer')
      .client(ModemService)
      .list({ sortBy: [ListModemsRequest_Sort.HEALTH_DESC], pagination: { size: 6 } });
    expect(response.modems.map(({ healthLevel }) => healthLevel?.level)).toEqual([
      ...Array.from({ length: 5 }, () => 'Alarm'),
      'Build up',
    ]);
    expect(response.modems[0]?.healthLevel?.severity).toBe(2n);
    const tags = await t
      .as('viewer')
      .client(TagService)
      .health({ selection: { names: ['North field'] } });
    expect(tags.tagHealth.map(({ healthLevel, mostSevere }) => [healthLevel?.level, mostSevere])).toEqual([
      ['Build up', false],
      ['Alarm', true],
    ]);
    const [alarm] = (await readAlarms()).filter(({ healthLevel }) => healthLevel?.level === 'Alarm');
    expect(alarm).toMatchObject({ healthLevel: { severity: 2n }, isError: true });
  });

  test("changes which of a device's several conditions determines its level", async () => {
    const { rows } = await t.app.db.orm.execute<{ number: string }>(sql`
      insert into device_condition (organization, number, source, health_level, since)
      select organization, number, 'second', 'Build up', now() from device_condition
      where organization = 'northwind' and health_level = 'Alarm' returning number`);
    expect(rows.length).toBeGreaterThan(0);
    await health().reorder({ levels: ['Healthy', 'Alarm', 'Build up'] });
    expect(await countDevices()).not.toHaveProperty('Alarm');
    await health().reorder({ levels: ['Healthy', 'Build up', 'Alarm'] });
    expect((await countDevices())['Alarm']).toBeGreaterThanOrEqual(rows.length);
  });

  test('requires every name exactly once', async () => {
    const call = (levels: string[]) => health().reorder({ levels });
    await expect(call(['Alarm', 'Healthy'])).rejects.toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: '"levels" doesn\'t contain "Build up". List all levels of northwind, from mild to severe.',
    });
    await expect(call(['Alarm', 'Healthy', 'Build up', 'New'])).rejects.toMatchObject({
      code: Code.FailedPrecondition,
    });
    await expect(call(['Alarm', 'Alarm', 'Healthy', 'Build up'])).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(call([])).rejects.toMatchObject({ code: Code.FailedPrecondition });
    expect((await readScale()).map(([level]) => level)).toEqual(['Healthy', 'Build up', 'Alarm']);
  });
});

describe('updating', () => {
  test('renames the level in devices, history, filters, and configuration', async () => {
    const before = await countDevices();
    const alarmCount = (await readAlarms()).filter(({ healthLevel }) => healthLevel?.level === 'Alarm').length;
    const { healthLevels } = await health().update({ level: 'Alarm', rename: 'Critical' });
    expect(names(healthLevels)).toEqual(['Healthy', 'Build up', 'Critical']);
    const { Alarm, ...others } = before;
    expect(await countDevices()).toEqual({ ...others, Critical: Alarm });
    const after = await readAlarms();
    expect(names(after.map(({ healthLevel }) => healthLevel!))).not.toContain('Alarm');
    expect(after.filter(({ healthLevel }) => healthLevel?.level === 'Critical')).toHaveLength(alarmCount);
    const { events } = await t
      .as('administrator')
      .client(EventService)
      .list({ selection: { healthLevels: ['Critical'] }, unbundledEvents: true })
      .then(({ unbundledEvents }) => ({
        events: unbundledEvents.flatMap((unbundledEvent) => unbundledEvent.unbundledEvents),
      }));
    expect(events[0]?.event.value).toMatchObject({ healthLevel: { level: 'Critical', severity: 3n } });
    const { webhooks } = await t.as('administrator').client(WebhookService).list({});
    expect(webhooks.map(({ filters }) => filters?.healthLevels)).toContainEqual(['Critical']);
    const response = await t
      .as('viewer')
      .client(ModemService)
      .list({ selection: { healthLevels: ['Critical'] } });
    expect(response.pagination?.total).toBe(5);
  });

  test('renames the level in pending emails', async () => {
    const summaries = ['Alarm', 'Build up'].map((level) => ({ type: 56, title: 'T', level, count: 1 }));
    await t.app.db.orm.execute(sql`
      insert into email_pending (organization, users, happenings)
      select id, '{nobody}', ${JSON.stringify(summaries)}::jsonb from organization
      where id in ('northwind', 'northwind-north')`);
    await health().update({ level: 'Alarm', rename: 'Critical' });
    const { rows } = await t.app.db.orm.execute<{ organization: string; levels: string[] }>(sql`
      delete from email_pending where users = '{nobody}'
      returning organization, jsonb_path_query_array(happenings, '$[*].level') as levels`);
    expect(Object.fromEntries(rows.map(({ organization, levels }) => [organization, levels]))).toEqual({
      northwind: ['Critical', 'Build up'],
      'northwind-north': ['Alarm', 'Build up'],
    });
  });

  test('adds, overwrites, and removes colors, and keeps the others', async () => {
    const { healthLevels } = await health().update({
      level: 'Alarm',
      addColors: { text: 'crimson', ring: 'pink' },
      removeColors: ['fill', 'unknown'],
    });
    expect(healthLevels[2]).toMatchObject({ color: 'crimson', colorData: { text: 'crimson', ring: 'pink' } });
    expect(healthLevels[2]?.colorData).not.toHaveProperty('fill');
    expect(healthLevels[1]?.colorData).toEqual({ text: 'darkorange', fill: 'moccasin' });
    const [alarm] = (await readAlarms()).filter(({ healthLevel }) => healthLevel?.level === 'Alarm');
    expect(alarm?.healthLevel?.color).toBe('crimson');
    await expect(
      health().update({
        level: 'Alarm',
        addColors: { text: 'red', fill: 'red', ring: 'red' },
        removeColors: ['text', 'fill'],
      }),
    ).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage:
        'These colors are in both add_colors and remove_colors: text and fill. List each in only one of them.',
    });
  });

  test('honors the deprecated wrappers and prefers the new fields', async () => {
    const color = async (request: object) =>
      (await health().update({ level: 'Alarm', ...request })).healthLevels.find(({ level }) => level === 'Alarm')
        ?.color;
    expect(await color({ updateColor: { updated: true, value: 'navy' } })).toBe('navy');
    expect(await color({ updateColor: { updated: false, value: 'teal' } })).toBe('navy');
    expect(await color({ updateColor: { updated: true, value: 'teal' }, addColors: { text: 'gold' } })).toBe('gold');
    expect(await color({ updateColor: { updated: true } })).toBe('');
    await health().update({ level: 'Healthy', deprecatedUpdateCatchAll: { updated: true, value: true } });
    expect((await readScale()).map(([, , catchAll]) => catchAll)).toEqual([true, false, false]);
    await health().update({
      level: 'Alarm',
      deprecatedUpdateCatchAll: { updated: true, value: true },
      updateCatchAll: false,
    });
    expect((await readScale()).map(([, , catchAll]) => catchAll)).toEqual([true, false, false]);
  });

  test('moves the catch-all and never unsets it', async () => {
    await health().update({ level: 'Build up', updateCatchAll: true });
    expect((await readScale()).map(([, , catchAll]) => catchAll)).toEqual([false, true, false]);
    await health().update({ level: 'Build up', updateCatchAll: false });
    expect((await readScale()).map(([, , catchAll]) => catchAll)).toEqual([false, true, false]);
  });

  test('rejects unknown, existing, and empty names', async () => {
    const update = (request: object) => health().update({ level: 'Alarm', ...request });
    await expect(update({ level: 'Nothing' })).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: 'northwind has no health level "Nothing".',
    });
    await expect(update({ level: 'x'.repeat(1000) })).rejects.toThrow(/x{100}…/);
    await expect(update({ rename: 'Healthy' })).rejects.toMatchObject({ code: Code.AlreadyExists });
    await expect(update({ rename: ' ' })).rejects.toMatchObject({ code: Code.InvalidArgument });
    const { healthLevels } = await health().update({ level: 'Alarm', rename: 'Alarm' });
    expect(names(healthLevels)).toEqual(['Healthy', 'Build up', 'Alarm']);
  });
});

describe('removing', () => {
  test('moves events, conditions, and filters to the catch-all, and recomputes health', async () => {
    await health().add({ newHealthLevel: { level: 'Minor' } });
    await health().reorder({ levels: ['Healthy', 'Minor', 'Build up', 'Alarm'] });
    const buildUpCount = (await countDevices())['Build up'] ?? 0;
    const alarmCount = (await countDevices())['Alarm'] ?? 0;
    expect(buildUpCount).toBeGreaterThan(0);
    const webhooks = t.as('administrator').client(WebhookService);
    const [, tickets] = (await webhooks.list({})).webhooks;
    await webhooks.updateFilter({ id: tickets!.id, addHealthLevelsToFilter: ['Build up'] });
    const { healthLevels } = await health().remove({ level: 'Build up' });
    expect(healthLevels.map(({ level, severity }) => [level, severity])).toEqual([
      ['Healthy', 1n],
      ['Minor', 2n],
      ['Alarm', 3n],
    ]);
    expect(await countDevices()).toMatchObject({ Alarm: alarmCount + buildUpCount });
    expect(new Set((await readAlarms()).map(({ healthLevel }) => healthLevel?.level))).toEqual(new Set(['Alarm']));
    const filters = (await webhooks.list({})).webhooks.map((webhook) => webhook.filters?.healthLevels);
    expect(filters).toContainEqual(['Alarm']);
  });

  test('moves devices without a condition to the next level when the mildest is removed', async () => {
    const healthyCount = (await countDevices())['Healthy'] ?? 0;
    const buildUpCount = (await countDevices())['Build up'] ?? 0;
    await health().remove({ level: 'Healthy' });
    expect(await countDevices()).toMatchObject({ 'Build up': healthyCount + buildUpCount });
    expect(await readScale()).toEqual([
      ['Build up', 1, false],
      ['Alarm', 2, true],
    ]);
  });

  test('never widens a filter on the removed level to everything', async () => {
    await health().update({ level: 'Healthy', updateCatchAll: true });
    await health().remove({ level: 'Alarm' });
    const { webhooks } = await t.as('administrator').client(WebhookService).list({});
    expect(webhooks.map(({ filters }) => filters?.healthLevels)).toContainEqual(['Healthy']);
  });

  test('rejects the catch-all and unknown names', async () => {
    await expect(health().remove({ level: 'Alarm' })).rejects.toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: '"Alarm" is the catch-all. Make another health level the catch-all first.',
    });
    await expect(health().remove({ level: 'alarm' })).rejects.toMatchObject({ code: Code.NotFound });
    await health().remove({ level: 'Healthy' });
    await health().remove({ level: 'Build up' });
    await expect(health().remove({ level: 'Alarm' })).rejects.toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: '"Alarm" is the last health level of northwind.',
    });
    expect(await countDevices()).toEqual({ Alarm: 52 });
  });
});
