import { Code } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { device } from '#server/db/schema/device.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { tag } from '#server/db/schema/tag.ts';
import type { Scope } from '#server/session/scope.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { either, readEventFilters, settledFilters } from './event-filters.ts';

const { ALARM_TRIGGERED, DEVICE_UPDATED } = EventType;

describe('a field and its deprecated wrapper', () => {
  it('are the field, or else what the wrapper was updated to', () => {
    const updated = { updated: true, value: 'wrapped' };
    expect(either('field', updated, 'empty')).toBe('field');
    expect(either(undefined, updated, 'empty')).toBe('wrapped');
    expect(either(undefined, { updated: true }, 'empty')).toBe('empty');
    expect(either(undefined, { updated: false, value: 'wrapped' }, 'empty')).toBeUndefined();
    expect(either<string>(undefined, undefined, 'empty')).toBeUndefined();
  });

  it('are read as filters are stored', () => {
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
    const cleared = { include: [], exclude: [] };
    expect(readEventFilters({ deprecatedTagFilter: { updated: true } }).tagFilter).toEqual(cleared);
    expect(readEventFilters({ deprecatedEventFilter: { updated: true, value: eventFilter } }).eventFilter).toEqual(
      eventFilter,
    );
  });
});

describe('a change to stored filters', () => {
  let t: TestServer;
  let number: string;
  /** Of another organization. */
  const away = '0000 00F1';
  beforeAll(async () => {
    t = await startTestServer();
    const { orm } = t.app.db;
    const { rows } = await orm.execute<{ number: string }>(
      sql`select min(number) as number from device where organization = 'northwind' and lifecycle = 1`,
    );
    number = rows[0]!.number;
    const [some] = await orm.select().from(tag).limit(1);
    await orm.insert(tag).values([
      { ...some!, organization: 'northwind', id: 901, name: 'here' },
      { ...some!, organization: 'northwind', id: 902, name: 'here too' },
      { ...some!, organization: 'northwind-north', id: 903, name: 'there' },
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
    const elsewhere = { organization: 'northwind-north', number: away, name: '', healthLevel: 'Odd', lifecycle: 1 };
    await orm.insert(device).values(elsewhere);
  });
  afterAll(() => t.close());

  const caller = { organization: 'northwind', allLifecycles: false } as Scope;
  const settled = (change: Parameters<typeof settledFilters>[3], healthLevels: string[] = []) =>
    t.app.db.transaction((tx) => settledFilters(tx, caller, { healthLevels }, change, t.app.now()));
  const any = { include: [], exclude: [] };

  it('is nothing when nothing changes', async () => {
    expect(await settled({}, ['Mild'])).toEqual({});
    expect(await settled({ addHealthLevels: [], removeHealthLevels: [] }, ['Mild'])).toEqual({});
  });

  it('names devices that are there', async () => {
    const deviceFilter = { include: [number], exclude: ['FFFF FFFF'] };
    expect(await settled({ deviceFilter })).toEqual({ deviceFilter });
    expect(await settled({ deviceFilter: any })).toEqual({ deviceFilter: any });
    for (const missing of ['FFFF FFFF', away]) {
      const named = settled({ deviceFilter: { include: [number, missing], exclude: [] } });
      await expect(named).rejects.toMatchObject({ code: Code.NotFound });
    }
  });

  it('names tags that are there, in its own organization, and may leave out any', async () => {
    const tagFilter = { include: [901, 902], exclude: [999] };
    expect(await settled({ tagFilter })).toEqual({ tagFilter });
    expect(await settled({ tagFilter: any })).toEqual({ tagFilter: any });
    for (const include of [[903], [901, 999], [998, 999]]) {
      await expect(settled({ tagFilter: { include, exclude: [] } })).rejects.toMatchObject({ code: Code.NotFound });
    }
    await expect(settled({ tagFilter: { include: [901, 903], exclude: [] } })).rejects.toThrow('no tag with id 903.');
  });

  it('adds health levels that are there, and removes any, each once', async () => {
    const change = { addHealthLevels: ['Bad', 'Mild'], removeHealthLevels: ['Fine', 'gone'] };
    expect(await settled(change, ['Fine', 'Mild'])).toEqual({ healthLevels: ['Mild', 'Bad'] });
    expect(await settled({ addHealthLevels: ['Bad'] })).toEqual({ healthLevels: ['Bad'] });
    expect(await settled({ removeHealthLevels: ['Mild'] }, ['Fine', 'Mild'])).toEqual({ healthLevels: ['Fine'] });
    expect(await settled({ addHealthLevels: ['Bad'], removeHealthLevels: ['Fine'] }, ['Fine'])).toEqual({
      healthLevels: ['Bad'],
    });
    await expect(settled({ addHealthLevels: ['Odd'] })).rejects.toThrow('Odd');
    await expect(settled({ addHealthLevels: ['Bad', 'Odd'] })).rejects.toThrow('Odd');
  });
});
