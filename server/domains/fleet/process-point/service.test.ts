import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DeviceService, Sort as DeviceSort } from '#proto/gen/hiber/device_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { ProcessPoint_Type } from '#proto/gen/hiber/process_point_pb.ts';
import { ListProcessPoints_Sort as Sort, ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
let numbers: string[];
beforeAll(async () => {
  t = await startTestServer();
  const { devices } = await t
    .as('administrator')
    .client(DeviceService)
    .list({ pagination: { size: 10 } });
  numbers = devices.map(({ number }) => number);
});
afterAll(() => t.close());

const points = (role: 'administrator' | 'viewer' = 'administrator') => t.as(role).client(ProcessPointService);
const byId = (...identifiers: string[]) => ({ identifiers });
const devices = (...include: string[]) => ({ modems: { include } });

async function createPoint(fields: object = {}) {
  const { created } = await points().create({ create: [fields] });
  const [point] = created;
  if (point === undefined) throw new Error('No point was created.');
  return point;
}

async function listEvents(type: EventType) {
  const { unbundledEvents } = await t
    .as('administrator')
    .client(EventService)
    .list({ selection: { events: { include: [type] } }, unbundledEvents: true });
  return unbundledEvents.flatMap((page) => page.unbundledEvents);
}

describe('a process point', () => {
  test('is created with all of its fields, and recorded', async () => {
    const point = await createPoint({
      name: 'Kestrel 14, annulus A',
      type: ProcessPoint_Type.WELL_ANNULUS_A,
      description: 'Between casing and tubing',
      notes: 'Behind the shed',
      timeZone: 'Europe/Amsterdam',
      expectedTransmissionRate: { value: 24 },
      metadata: { 'max.bar': 40 },
      location: { latitude: 52.5, longitude: 6.25 },
      files: [{ name: 'plan.txt', content: { case: 'dataRaw', value: new Uint8Array([1]) } }],
    });
    expect(point).toMatchObject({
      organization: 'northwind',
      identifier: expect.stringMatching(/^point-[0-9a-f]{20}$/),
      type: ProcessPoint_Type.WELL_ANNULUS_A,
      timeZone: 'Europe/Amsterdam',
      expectedTransmissionRate: { value: 24 },
      metadata: { 'max.bar': 40 },
      location: { textual: '[52.5,6.25]' },
      files: [{ name: 'plan.txt' }],
    });
    const { processPoints } = await points('viewer').list({ selection: byId(point.identifier) });
    expect(processPoints).toEqual([point]);
    const [event] = await listEvents(EventType.PROCESS_POINT_CREATED);
    expect(event?.event.value).toMatchObject({ processPoint: { name: 'Kestrel 14, annulus A' } });
  });

  test('is named after its identifier by default', async () => {
    const point = await createPoint();
    expect(point.name).toBe(point.identifier);
  });

  test('requires an unused name', async () => {
    await createPoint({ name: 'Taken' });
    await expect(createPoint({ name: 'Taken' })).rejects.toMatchObject({
      code: Code.AlreadyExists,
      rawMessage: 'northwind already has a process point named "Taken".',
    });
  });

  test.each([
    ['an invalid time zone', { timeZone: 'Mars' }, '"Mars" isn\'t a time zone. Enter a name such as Europe/Amsterdam.'],
    [
      'an invalid metadata key',
      { metadata: { 'Max Bar': 1 } },
      'The metadata key "Max Bar" isn\'t valid. Use lowercase letters, digits, underscores, dots, and dashes.',
    ],
    ['an invalid location', { location: { latitude: 91 } }, expect.stringContaining('latitude must be from -90 to 90')],
  ])('is rejected with %s', async (_, fields, rawMessage) => {
    await expect(createPoint(fields)).rejects.toMatchObject({ code: Code.InvalidArgument, rawMessage });
  });
});

describe('an update', () => {
  test('changes, clears, and keeps fields, and records what changed', async () => {
    const point = await createPoint({ name: 'Before', notes: 'Old', metadata: { a: 1, b: 2 }, timeZone: 'UTC' });
    const { processPoints } = await points().update({
      selection: byId(point.identifier),
      update: {
        updateName: 'After',
        updateNotes: '',
        addMetadata: { b: { kind: { case: 'boolValue', value: true } } },
        addMetadataText: { c: 'text' },
        removeMetadataKeys: ['a'],
        location: { textual: '[1.5,2.5]' },
      },
    });
    expect(processPoints).toMatchObject([
      { name: 'After', metadata: { b: true, c: 'text' }, timeZone: 'UTC', location: { latitude: 1.5 } },
    ]);
    expect(processPoints[0]?.notes).toBeUndefined();
    const [event] = await listEvents(EventType.PROCESS_POINT_UPDATED);
    expect(event?.description).toBe('Process point "After" was updated: name, notes, metadata, location.');
    expect(event?.event.value).toMatchObject({ updated: { name: 'After', notes: '' } });
  });

  test('is rejected if it sets a metadata key twice', async () => {
    const { identifier } = await createPoint({ name: 'Two values' });
    const update = {
      addMetadata: { a: { kind: { case: 'boolValue', value: true } } },
      addMetadataText: { a: 'text' },
    } as const;
    await expect(points().update({ selection: byId(identifier), update })).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: 'The metadata key "a" is in both add_metadata and add_metadata_text. Use one of them.',
    });
  });

  test('requires a selection and renames one point at a time', async () => {
    await expect(points().update({ update: { updateNotes: 'x' } })).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: 'Select the process points. An empty selection would affect all of them.',
    });
    const [a, b] = [await createPoint(), await createPoint()];
    await expect(
      points().update({ selection: byId(a.identifier, b.identifier), update: { updateName: 'Same' } }),
    ).rejects.toMatchObject({ code: Code.FailedPrecondition });
    await expect(points().update({ selection: byId('point-0'), update: {} })).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: 'northwind has no process point "point-0".',
    });
    await expect(points().update({ selection: byId('point-0', 'point-1'), update: {} })).rejects.toMatchObject({
      rawMessage: 'northwind has no process points "point-0" and "point-1".',
    });
  });

  test('is denied to a viewer', async () => {
    await expect(points('viewer').update({})).rejects.toMatchObject({ code: Code.PermissionDenied });
  });
});

describe('a list', () => {
  test('matches any of several searches, each with all of its words', async () => {
    const first = await createPoint({ name: 'Heron 1', description: 'North pad' });
    const second = await createPoint({ name: 'Heron 2', notes: 'South PAD' });
    const search = async (...searches: string[]) => {
      const { processPoints } = await points().list({ selection: { search: searches } });
      return processPoints.map(({ identifier }) => identifier);
    };
    expect(await search('heron')).toEqual([first.identifier, second.identifier]);
    expect(await search('pad heron south')).toEqual([second.identifier]);
    expect(await search('north pad', '2 heron')).toEqual([first.identifier, second.identifier]);
  });

  test('sorts in natural order, in either direction, with unset types last', async () => {
    for (const [name, type] of [
      ['Sorted 10', ProcessPoint_Type.PIPELINE],
      ['Sorted 9', undefined],
      ['Sorted 1', ProcessPoint_Type.GAS_MANIFOLD],
    ] as const) {
      await createPoint({ name, type });
    }
    const listSorted = async (...sortBy: Sort[]) => {
      const { processPoints } = await points().list({ selection: { search: ['sorted'] }, sortBy });
      return processPoints.map(({ name }) => name);
    };
    expect(await listSorted()).toEqual(['Sorted 1', 'Sorted 9', 'Sorted 10']);
    expect(await listSorted(Sort.NAME_DESC)).toEqual(['Sorted 10', 'Sorted 9', 'Sorted 1']);
    expect(await listSorted(Sort.TYPE_ASC)).toEqual(['Sorted 1', 'Sorted 10', 'Sorted 9']);
    expect(await listSorted(Sort.TYPE_DESC)).toEqual(['Sorted 10', 'Sorted 1', 'Sorted 9']);
    for (const sort of Object.values(Sort)) expect(await listSorted(sort)).toHaveLength(3);
  });
});

describe('tags', () => {
  test('are assigned, filter the list, are counted, and are unassigned', async () => {
    const tagService = t.as('administrator').client(TagService);
    const tag = await tagService.create({ create: { name: 'Pad 7', type: 'site' } });
    const point = await createPoint();
    const request = { selection: byId(point.identifier), tags: { filter: { include: [tag.id] } } };
    const { processPoints } = await points().assignTag(request);
    expect(processPoints).toMatchObject([{ tags: [{ label: { name: 'Pad 7' } }] }]);
    const tagged = { selection: { filterByTags: { names: ['Pad 7'] } } };
    expect((await points().list(tagged)).processPoints.map(({ identifier }) => identifier)).toEqual([point.identifier]);
    const { tagProcessPointCount } = await tagService.list({ processPointCount: true });
    expect(tagProcessPointCount[String(tag.id)]).toBe(1);
    const [event] = await listEvents(EventType.ASSIGNED);
    expect(event?.description).toBe(`Process point "${point.name}" was assigned to tag "Pad 7".`);
    await points().unassignTag(request);
    expect((await points().list(tagged)).processPoints).toEqual([]);
  });

  test("count their points by their worst device's health", async () => {
    const tagService = t.as('administrator').client(TagService);
    const tag = await tagService.create({ create: { name: 'Pad 8', type: 'site' } });
    const [healthyPoint, alarmedPoint, unmeasuredPoint] = [
      await createPoint(),
      await createPoint(),
      await createPoint(),
    ];
    for (const { identifier } of [healthyPoint, alarmedPoint, unmeasuredPoint]) {
      await points().assignTag({ selection: byId(identifier), tags: { filter: { include: [tag.id] } } });
    }
    const [first = '', second = ''] = numbers.slice(-2);
    for (const [number, level] of [
      [first, 'Healthy'],
      [second, 'Alarm'],
    ]) {
      await t.app.db.pool.query('update device set health_level = $1 where number = $2', [level, number]);
    }
    await points().assignDevice({ selection: byId(healthyPoint.identifier), devices: devices(first) });
    await points().assignDevice({ selection: byId(alarmedPoint.identifier), devices: devices(first) });
    await points().assignDevice({ selection: byId(alarmedPoint.identifier), devices: devices(second) });
    const health = async (processPointCount: boolean) => {
      const { tagHealth } = await tagService.health({
        selection: { filter: { include: [tag.id] } },
        processPointCount,
      });
      return tagHealth.map((row) => [row.healthLevel?.level, row.processPointCount, row.mostSevere]);
    };
    expect(await health(true)).toEqual([
      ['Healthy', 1, false],
      ['Alarm', 1, true],
    ]);
    expect(await health(false)).toEqual([]);
  });
});

describe('devices', () => {
  test('are assigned from a time in the past, shown on both sides, and unassigned', async () => {
    const [number = ''] = numbers;
    const point = await createPoint({ name: 'Measured' });
    const selection = byId(point.identifier);
    const { processPoints } = await points().assignDevice({
      selection,
      devices: devices(number),
      overrideTime: { textual: '2026-01-05T08:00:00Z' },
    });
    expect(processPoints).toMatchObject([
      { devices: [{ number, assignmentTimeRange: { start: { textual: '2026-01-05T08:00:00Z' } } }] },
    ]);
    const modem = await t.as('administrator').client(ModemService).get({ modemNumber: number });
    expect(modem.processPoints).toMatchObject([{ identifier: point.identifier, name: 'Measured', devices: [] }]);
    const deviceService = t.as('administrator').client(DeviceService);
    const sorted = await deviceService.list({ sortBy: [DeviceSort.PROCESS_POINT_ASC], pagination: { size: 1 } });
    expect(sorted.devices[0]?.number).toBe(number);
    const unassignResponse = await points().unassignDevice({
      selection,
      devices: devices(number),
      overrideTime: { textual: '2026-02-01' },
    });
    expect(unassignResponse.processPoints).toMatchObject([
      { devices: [], inactiveDevices: [{ number, assignmentTimeRange: { end: { textual: '2026-02-01T00:00:00Z' } } }] },
    ]);
  });

  test("can't overlap on a point, start in the future, or end before they start", async () => {
    const [, number = ''] = numbers;
    const point = await createPoint({ name: 'Overlap' });
    const request = { selection: byId(point.identifier), devices: devices(number) };
    await points().assignDevice({ ...request, overrideTime: { textual: '2026-03-01' } });
    await expect(points().assignDevice({ ...request, overrideTime: { textual: '2026-02-01' } })).rejects.toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: `Device ${number} has measured "Overlap" since 2026-03-01T00:00:00.000Z. To delete this assignment, set override_conflicting_assignments and override_conflicting_assignments_allow_delete.`,
    });
    await expect(
      points().unassignDevice({ ...request, overrideTime: { textual: '2026-01-01' } }),
    ).rejects.toMatchObject({ code: Code.FailedPrecondition });
    await expect(points().assignDevice({ ...request, overrideTime: { textual: '2199-01-01' } })).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
    // Assigning again changes nothing.
    const { processPoints } = await points().assignDevice(request);
    expect(processPoints[0]?.devices).toHaveLength(1);
  });

  test('are hidden if the caller may not see them', async () => {
    await expect(
      points().assignDevice({ selection: byId((await createPoint()).identifier), devices: devices('FFFF FFFF') }),
    ).rejects.toMatchObject({ code: Code.NotFound });
  });
});

describe('a deletion', () => {
  test('removes the points with their assignments and counts them', async () => {
    const point = await createPoint({ name: 'Doomed' });
    await points().assignDevice({ selection: byId(point.identifier), devices: devices(numbers[2] ?? '') });
    expect(await points().delete({ selection: byId(point.identifier) })).toMatchObject({ deleted: 1 });
    expect((await points().list({ selection: { search: ['doomed'] } })).processPoints).toEqual([]);
    const [event] = await listEvents(EventType.PROCESS_POINT_DELETED);
    expect(event?.description).toBe('Process point "Doomed" was deleted.');
  });
});
