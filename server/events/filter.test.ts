import { create, toBinary } from '@bufbuild/protobuf';
import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { device } from '#server/db/schema/device.ts';
import { event } from '#server/db/schema/event.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { organization } from '#server/db/schema/organization.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { type EventFilter, eventMatcher, eventWhere } from './filter.ts';
import { readEvents } from './stored.ts';

const { ALARM_TRIGGERED, DEVICE_UPDATED, PUBLISHER_FAILED, TOKEN_CREATED } = EventType;
const [ownOrganization, otherOrganization] = ['filters-here', 'filters-there'];
const [visibleDevice, hiddenDevice] = ['0000 00A1', '0000 00A2'];
const HOUR = 3600 * 1000;

/** The test events in chronological order, an hour apart. */
const rows: Record<string, Partial<typeof event.$inferInsert>> = {
  alarm: { type: ALARM_TRIGGERED, number: visibleDevice, healthLevel: 'Bad', tags: [1, 2] },
  'milder alarm': { type: ALARM_TRIGGERED, number: visibleDevice, healthLevel: 'Mild', tags: [2] },
  'alarm of a hidden device': { type: ALARM_TRIGGERED, number: hiddenDevice, healthLevel: 'Bad' },
  'alarm of a deleted device': { type: ALARM_TRIGGERED, number: '0000 00A9', tags: [1] },
  update: { type: DEVICE_UPDATED, number: visibleDevice },
  token: { type: TOKEN_CREATED },
  'failed 1': { type: PUBLISHER_FAILED, publisher: 1, healthLevel: 'Bad' },
  'failed 2': { type: PUBLISHER_FAILED, publisher: 2, tags: [3] },
  resolved: { type: ALARM_TRIGGERED, number: visibleDevice, healthLevel: 'Bad' },
};
const names = Object.keys(rows);

let t: TestServer;
let times: Map<string, Date>;
beforeAll(async () => {
  t = await startTestServer({ isEmpty: true });
  const { orm } = t.app.db;
  const start = t.app.now().getTime() - names.length * HOUR;
  times = new Map(names.map((name, index) => [name, new Date(start + index * HOUR)]));
  const { DISABLED, INSTALLED } = Modem_Lifecycle;
  const body = toBinary(EventSchema, create(EventSchema));
  // Another organization has the same devices, with the lifecycles swapped, and the same events.
  for (const [id, lifecycles] of [
    [ownOrganization, [INSTALLED, DISABLED]],
    [otherOrganization, [DISABLED, INSTALLED]],
  ] as const) {
    await orm.insert(organization).values({ id, path: [id], displayName: id });
    await orm
      .insert(healthLevel)
      .values(['Bad', 'Mild'].map((level, index) => ({ organization: id, level, severity: index + 1, colorData: {} })));
    await orm.insert(device).values(
      [visibleDevice, hiddenDevice].map((number, index) => ({
        organization: id,
        number,
        name: '',
        healthLevel: 'Mild',
        lifecycle: lifecycles[index]!,
      })),
    );
    await orm.insert(event).values(
      names.map((title) => {
        const time = times.get(title)!;
        // This event was resolved after it happened; all others are unresolved.
        const resolvedAt = title === 'resolved' ? new Date(time.getTime() + 1) : null;
        return { organization: id, type: 0, title, description: '', body, time, resolvedAt, ...rows[title] };
      }),
    );
  }
});
afterAll(() => t.close());

const everything: EventFilter = {
  types: [ALARM_TRIGGERED, DEVICE_UPDATED, PUBLISHER_FAILED, TOKEN_CREATED],
  devices: { include: [], exclude: [] },
  publishers: { include: undefined, exclude: [] },
  tags: { include: [], exclude: [] },
  healthLevels: [],
  onlyLevel: undefined,
  start: undefined,
  end: undefined,
  includeResolved: true,
  allLifecycles: true,
};
const page = { orderBy: [asc(event.time)], limit: 100, offset: 0 };
const nameOf = ({ time }: { time: Date }) =>
  [...times].find(([, eventTime]) => eventTime.getTime() === time.getTime())?.[0];

/** Returns the names of the listed events. */
const listNames = async (filter: EventFilter) =>
  (await readEvents(t.app.db.orm, eventWhere(ownOrganization, filter), page)).map(nameOf);
/** Returns the names of the streamed events. */
const streamNames = async (filter: EventFilter) =>
  (await readEvents(t.app.db.orm, eq(event.organization, ownOrganization), page))
    .filter(eventMatcher(filter))
    .map(nameOf);

const namesWithout = (...excluded: string[]) => names.filter((name) => !excluded.includes(name));
const [hiddenAlarm, deletedDeviceAlarm] = ['alarm of a hidden device', 'alarm of a deleted device'];

const cases: Record<string, [Partial<EventFilter>, string[]]> = {
  everything: [{}, names],
  'no type': [{ types: [] }, []],
  'some types': [{ types: [DEVICE_UPDATED, TOKEN_CREATED] }, ['update', 'token']],
  'a device': [{ devices: { include: [visibleDevice], exclude: [] } }, ['alarm', 'milder alarm', 'update', 'resolved']],
  'two devices': [
    { devices: { include: [visibleDevice, hiddenDevice], exclude: [] } },
    ['alarm', 'milder alarm', hiddenAlarm, 'update', 'resolved'],
  ],
  'all but a device': [
    { devices: { include: [], exclude: [visibleDevice] } },
    [hiddenAlarm, deletedDeviceAlarm, 'token', 'failed 1', 'failed 2'],
  ],
  'an included device, minus an excluded one': [
    { devices: { include: [visibleDevice, hiddenDevice], exclude: [visibleDevice] } },
    [hiddenAlarm],
  ],
  'a publisher': [{ publishers: { include: [1], exclude: [] } }, ['failed 1']],
  'two publishers': [{ publishers: { include: [1, 2], exclude: [] } }, ['failed 1', 'failed 2']],
  'no publisher': [{ publishers: { include: [], exclude: [] } }, []],
  'all but a publisher': [{ publishers: { include: undefined, exclude: [1] } }, namesWithout('failed 1')],
  'an included publisher, minus an excluded one': [{ publishers: { include: [1, 2], exclude: [1] } }, ['failed 2']],
  'a tag': [{ tags: { include: [1], exclude: [] } }, ['alarm', deletedDeviceAlarm]],
  'either of two tags': [{ tags: { include: [1, 3], exclude: [] } }, ['alarm', deletedDeviceAlarm, 'failed 2']],
  'all but a tag': [{ tags: { include: [], exclude: [2] } }, namesWithout('alarm', 'milder alarm')],
  'an included tag, minus an excluded one': [{ tags: { include: [1], exclude: [2] } }, [deletedDeviceAlarm]],
  'a level': [{ healthLevels: ['Mild'] }, ['milder alarm']],
  'two levels': [{ healthLevels: ['Mild', 'Bad'] }, ['alarm', 'milder alarm', hiddenAlarm, 'failed 1', 'resolved']],
  'only one level': [{ onlyLevel: 'Mild' }, ['milder alarm']],
  'only one level, which is not in the list of levels': [{ onlyLevel: 'Bad', healthLevels: ['Mild'] }, []],
  'devices that customers see': [{ allLifecycles: false }, namesWithout(hiddenAlarm)],
};

describe('lists and streams match the same events', () => {
  test.each(Object.entries(cases))('%s', async (_, [filter, expected]) => {
    expect(await listNames({ ...everything, ...filter })).toEqual(expected);
    expect(await streamNames({ ...everything, ...filter })).toEqual(expected);
  });
});

describe('a list matches', () => {
  test('events between two times, inclusive', async () => {
    const [start, end] = [times.get('milder alarm'), times.get('update')];
    const namesBetween = names.slice(1, 5);
    expect(await listNames({ ...everything, start, end })).toEqual(namesBetween);
    expect(await listNames({ ...everything, start })).toEqual(names.slice(1));
    expect(await listNames({ ...everything, end })).toEqual(names.slice(0, 5));
  });

  test('only unresolved events, unless includeResolved is set', async () => {
    expect(await listNames({ ...everything, includeResolved: false })).toEqual(namesWithout('resolved'));
  });

  test('only events that affect device health, when requested', async () => {
    const healthEvents = ['alarm', 'milder alarm', hiddenAlarm, 'resolved'];
    expect(await listNames({ ...everything, affectsDeviceHealth: true })).toEqual(healthEvents);
  });
});

describe('a stream matches', () => {
  test('events created as resolved, and events resolved later only when requested', async () => {
    const unresolvedFilter = { ...everything, includeResolved: false };
    expect(await streamNames(unresolvedFilter)).toEqual(namesWithout('resolved'));
    const [stored] = await readEvents(t.app.db.orm, eventWhere(ownOrganization, everything), page);
    expect(eventMatcher(unresolvedFilter)({ ...stored!, resolvedAt: stored!.time })).toBe(true);
    expect(eventMatcher(everything)({ ...stored!, resolvedAt: new Date(stored!.time.getTime() + 1) })).toBe(true);
  });
});
