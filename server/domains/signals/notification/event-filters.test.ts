import { Code } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { device } from '#server/db/schema/device.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { tag } from '#server/db/schema/tag.ts';
import type { Scope } from '#server/session/scope.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { currentOrDeprecated, readEventFilters, resolveFilters } from './event-filters.ts';

const { ALARM_TRIGGERED, DEVICE_UPDATED } = EventType;

describe('a field and its deprecated wrapper', () => {
  test("resolve to the field, or else to the wrapper's updated value", () => {
    const wrappedValue = { updated: true, value: 'wrapped' };
    expect(currentOrDeprecated('field', wrappedValue, 'empty')).toBe('field');
    expect(currentOrDeprecated(undefined, wrappedValue, 'empty')).toBe('wrapped');
    expect(currentOrDeprecated(undefined, { updated: true }, 'empty')).toBe('empty');
    expect(currentOrDeprecated(undefined, { updated: false, value: 'wrapped' }, 'empty')).toBeUndefined();
    expect(currentOrDeprecated<string>(undefined, undefined, 'empty')).toBeUndefined();
  });

  test('are converted to stored filters', () => {
    const eventFilter = { include: [ALARM_TRIGGERED], exclude: [DEVICE_UPDATED] };
    const filters = {
      eventFilter,
      modemFilter: { include: ['00c0ffee'], exclude: ['00000001'] },
      tagFilter: { include: [1n], exclude: [2n] },
    };
    expect(readEventFilters(filters)).toEqual({
      eventFilter,
      deviceFilter: { include: ['00C0 FFEE'], exclude: ['0000 0001'] },
      tagFilter: { include: [1], exclude: [2] },
    });
    expect(readEventFilters({})).toEqual({ eventFilter: undefined, deviceFilter: undefined, tagFilter: undefined });
    const emptyFilter = { include: [], exclude: [] };
    expect(readEventFilters({ deprecatedTagFilter: { updated: true } }).tagFilter).toEqual(emptyFilter);
    expect(readEventFilters({ deprecatedEventFilter: { updated: true, value: eventFilter } }).eventFilter).toEqual(
      eventFilter,
    );
  });
});

describe('a change to stored filters', () => {
  let t: TestServer;
  let number: string;
  /** The number of a device in another organization. */
  const foreignNumber = '0000 00F1';
  beforeAll(async () => {
    t = await startTestServer();
    const { orm } = t.app.db;
    const { rows } = await orm.execute<{ number: string }>(
      sql`select min(number) as number from device where organization = 'northwind' and lifecycle = 1`,
    );
    number = rows[0]!.number;
    const [row] = await orm.select().from(tag).limit(1);
    await orm.insert(tag).values([
      { ...row!, organization: 'northwind', id: 901, name: 'first' },
      { ...row!, organization: 'northwind', id: 902, name: 'second' },
      { ...row!, organization: 'northwind-north', id: 903, name: 'foreign' },
    ]);
    const level = (organization: string, name: string, severity: number) => ({
      organization,
      level: name,
      severity,
      colorData: {},
    });
    await orm
      .insert(healthLevel)
      .values([
        level('northwind', 'Fine', 101),
        level('northwind', 'Mild', 102),
        level('northwind', 'Bad', 103),
        level('northwind-north', 'Odd', 101),
      ]);
    const foreignDevice = {
      organization: 'northwind-north',
      number: foreignNumber,
      name: '',
      healthLevel: 'Odd',
      lifecycle: 1,
    };
    await orm.insert(device).values(foreignDevice);
  });
  afterAll(() => t.close());

  const caller = { organization: 'northwind', allLifecycles: false } as Scope;
  const resolve = (change: Parameters<typeof resolveFilters>[3], healthLevels: string[] = []) =>
    t.app.db.transaction((tx) => resolveFilters(tx, caller, { healthLevels }, change, t.app.now()));
  const emptyFilter = { include: [], exclude: [] };

  test('is empty when nothing changes', async () => {
    expect(await resolve({}, ['Mild'])).toEqual({});
    expect(await resolve({ addHealthLevels: [], removeHealthLevels: [] }, ['Mild'])).toEqual({});
  });

  test('can include only existing devices', async () => {
    const deviceFilter = { include: [number], exclude: ['FFFF FFFF'] };
    expect(await resolve({ deviceFilter })).toEqual({ deviceFilter });
    expect(await resolve({ deviceFilter: emptyFilter })).toEqual({ deviceFilter: emptyFilter });
    for (const missingNumber of ['FFFF FFFF', foreignNumber]) {
      const call = resolve({ deviceFilter: { include: [number, missingNumber], exclude: [] } });
      await expect(call).rejects.toMatchObject({ code: Code.NotFound });
    }
  });

  test('can include only existing tags in its own organization, but exclude any tag', async () => {
    const tagFilter = { include: [901, 902], exclude: [999] };
    expect(await resolve({ tagFilter })).toEqual({ tagFilter });
    expect(await resolve({ tagFilter: emptyFilter })).toEqual({ tagFilter: emptyFilter });
    for (const include of [[903], [901, 999], [998, 999]]) {
      await expect(resolve({ tagFilter: { include, exclude: [] } })).rejects.toMatchObject({ code: Code.NotFound });
    }
    await expect(resolve({ tagFilter: { include: [901, 903], exclude: [] } })).rejects.toThrow('no tag with id 903.');
  });

  test('adds existing health levels without duplicates and removes any level', async () => {
    const change = { addHealthLevels: ['Bad', 'Mild'], removeHealthLevels: ['Fine', 'unknown'] };
    expect(await resolve(change, ['Fine', 'Mild'])).toEqual({ healthLevels: ['Mild', 'Bad'] });
    expect(await resolve({ addHealthLevels: ['Bad'] })).toEqual({ healthLevels: ['Bad'] });
    expect(await resolve({ removeHealthLevels: ['Mild'] }, ['Fine', 'Mild'])).toEqual({ healthLevels: ['Fine'] });
    expect(await resolve({ addHealthLevels: ['Bad'], removeHealthLevels: ['Fine'] }, ['Fine'])).toEqual({
      healthLevels: ['Bad'],
    });
    await expect(resolve({ addHealthLevels: ['Odd'] })).rejects.toThrow('Odd');
    await expect(resolve({ addHealthLevels: ['Bad', 'Odd'] })).rejects.toThrow('Odd');
  });
});
