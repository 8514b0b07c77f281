import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import {
  ListModemsRequest_Sort as Sort,
  type Modem,
  Modem_Lifecycle,
  Modem_Type,
  ModemService,
} from '#proto/gen/hiber/modem_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

const modemsAs = (kind: Parameters<TestServer['as']>[0]) => t.as(kind).client(ModemService);

describe('reading', () => {
  test('lists the device with the newest message first, with times in its time zone', async () => {
    const { modems, sortedBy, pagination } = await modemsAs('viewer').list({ pagination: { size: 10 } });
    expect(sortedBy).toEqual([Sort.LAST_MESSAGE_RECEIVED]);
    expect(pagination).toMatchObject({ total: 48, next: { size: 10, page: 1 } });
    const receivedAt = modems.map(({ lastMessageReceivedAt }) => Number(lastMessageReceivedAt?.timestamp?.seconds));
    expect(receivedAt).toEqual([...receivedAt].sort((a, b) => b - a));
    expect(modems[0]?.lastMessageReceivedAt).toMatchObject({ timeZone: 'Europe/Amsterdam' });
    expect(modems[0]?.lastMessageBody?.hex).toMatch(/^([0-9A-F]{2})+$/);
    expect(modems[0]?.metadata).toMatchObject({ received24h: expect.any(Number) });
  });

  test('finds a device by its number in any notation, in one organization or in all of them', async () => {
    const viewer = modemsAs('viewer');
    const [gateway] = (await viewer.list({ selection: { includeTypes: [Modem_Type.GATEWAY] } })).modems;
    const modemNumber = gateway?.number.replace(' ', '').toLowerCase() ?? '';
    expect(await viewer.get({ modemNumber })).toMatchObject({ number: gateway?.number, type: Modem_Type.GATEWAY });
    expect(gateway?.gatewayInfo?.numberOfConnectedDevices).toBeGreaterThan(10);
    const allOrganizations = { case: 'inOrganizations' as const, value: {} };
    const device = await modemsAs('support').get({ where: allOrganizations, modemNumber });
    expect(device.organization).toBe('northwind');
    const missingDevice = viewer.get({ where: allOrganizations, modemNumber: '0000 0001' });
    await expect(missingDevice).rejects.toMatchObject({ code: Code.NotFound });
  });

  test('includes child organizations only on request', async () => {
    const viewer = modemsAs('viewer');
    const allModems = await viewer.list({ childOrganizations: { includeAll: true }, sortBy: [Sort.ORGANIZATION_ASC] });
    const childModems = await viewer.list({ childOrganizations: { include: ['northwind-north'] } });
    expect([childModems.pagination?.total, allModems.pagination?.total]).toEqual([51, 60]);
    const foreignModems = await viewer.list({ childOrganizations: { include: ['quarterdeck'] } });
    expect(foreignModems.pagination?.total).toBe(48);
  });

  test('groups devices by gateway and returns a request for the next page of each group', async () => {
    const viewer = modemsAs('viewer');
    const { groups, total, pagination } = await viewer.grouped({ groupContent: { pagination: { size: 5 } } });
    expect(pagination?.total).toBe(groups.length);
    expect(total).toMatchObject({ groups: groups.length, content: 48 - groups.length, all: 48 });
    const [first] = groups;
    expect(first?.groupParents[0]?.type).toBe(Modem_Type.GATEWAY);
    const next = await viewer.list({ selection: first?.request?.selection, pagination: first?.pagination?.next });
    expect(next.pagination?.total).toBe(first?.pagination?.total);
    expect(next.modems.length).toBeGreaterThan(0);
    const gateways = new Set(next.modems.map((modem) => modem.connectedDeviceInfo?.connectedToGateway));
    expect([...gateways]).toEqual([first?.groupParents[0]?.number]);
  });

  test('counts the selected devices of the selected gateways', async () => {
    const viewer = modemsAs('viewer');
    const { groups } = await viewer.grouped({});
    const [parent, otherParent] = groups.map(({ groupParents }) => ({ include: [groupParents[0]?.number ?? ''] }));
    const device = { include: [groups[0]?.modems[0]?.number ?? ''] };
    const inGroup = groups[0]?.pagination?.total ?? 0;
    const count = async (parents: typeof parent, content?: typeof device) => {
      const { total } = await viewer.grouped({
        groups: { selection: { modems: parents } },
        groupContent: { selection: { modems: content } },
      });
      return total;
    };
    expect(await count(parent)).toMatchObject({ groups: 1, content: inGroup, all: inGroup + 1 });
    expect(await count(parent, device)).toMatchObject({ groups: 1, content: 1 });
    expect(await count(otherParent, device)).toMatchObject({ groups: 1, content: 0, all: 1 });
  });

  test.each([[[]], [[Sort.MODEM_NAME_DESC]], [[Sort.TAG_TYPE_WELL_ASC]]])(
    'lists the same devices in each group as a list of its gateway, sorted by %j',
    async (sortBy) => {
      const viewer = modemsAs('viewer');
      const numbersOf = (modems: readonly Modem[]) => modems.map(({ number }) => number);
      const { groups } = await viewer.grouped({ groupContent: { sortBy, pagination: { size: 4, page: 1 } } });
      for (const { modems, request, pagination } of groups) {
        const list = await viewer.list(request ?? {});
        expect(numbersOf(modems)).toEqual(numbersOf(list.modems));
        expect(pagination).toEqual(list.pagination);
      }
    },
  );

  test.each([
    ['the same organizations', undefined],
    ['other organizations', { includeAll: true }],
  ])('describes parents and devices as a list does, if the groups have %s', async (_, childOrganizations) => {
    // How long a device has been silent depends on the time of the call.
    const { now } = t.app;
    onTestFinished(() => void (t.app.now = now));
    const time = now();
    t.app.now = () => time;
    const viewer = modemsAs('viewer');
    const pagination = { size: 100 };
    const [{ groups }, { modems }, { modems: parents }] = await Promise.all([
      // Sensors are both parents and devices in a group.
      viewer.grouped({
        allowAnyGroupParent: true,
        groups: { pagination, childOrganizations },
        groupContent: { pagination },
      }),
      viewer.list({ pagination }),
      viewer.list({ pagination, childOrganizations }),
    ]);
    expect(groups.flatMap(({ groupParents }) => groupParents)).toEqual(parents);
    const inGroups = new Map(groups.flatMap((group) => group.modems).map((modem) => [modem.number, modem]));
    expect([...inGroups.values()].some(({ tags }) => tags.length > 1)).toBe(true);
    for (const modem of modems) expect(inGroups.get(modem.number) ?? modem).toEqual(modem);
  });

  test('limits the total size of all groups in one response', async () => {
    const viewer = modemsAs('viewer');
    const groupContent = { pagination: { size: 1000 } };
    const { groups } = await viewer.grouped({ allowAnyGroupParent: true, groupContent });
    const sizes = groups.map(({ pagination }) => pagination?.size ?? 0);
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(2000);
    expect(groups[0]?.request?.pagination?.size).toBe(sizes[0]);
    const byDefault = await viewer.grouped({});
    expect(byDefault.groups[0]?.pagination?.size).toBe(10);
    const single = await viewer.grouped({ groups: { pagination: { size: 1 } }, groupContent });
    expect(single.groups[0]?.pagination?.size).toBe(1000);
  });

  test('lists messages only with a time range', async () => {
    const viewer = modemsAs('viewer');
    await expect(viewer.messages({ selection: {} })).rejects.toThrow('time_range');
    const selection = { timeRange: { start: { textual: '-7d' }, end: { textual: 'now' } } };
    const { messages, pagination } = await viewer.messages({ selection, pagination: { size: 3 } });
    expect(messages).toHaveLength(3);
    expect(pagination?.total).toBeGreaterThan(100);
  });
});

describe('tags', () => {
  test('are created, assigned to every selected device, and removed', async () => {
    const operator = modemsAs('operator');
    const selection = { healthLevels: ['Alarm'] };
    const { modems, pagination } = await operator.updateTags({
      selection,
      update: { newTagsToAdd: [{ name: 'Needs visit', type: 'group' }] },
    });
    expect(pagination?.total).toBe(5);
    const tag = modems[0]?.tags.find(({ label }) => label?.name === 'Needs visit');
    expect(modems.every(({ tags }) => tags.some(({ id }) => id === tag?.id))).toBe(true);

    const { tags } = await operator.tagCount({ tagSelection: { names: ['Needs visit'] } });
    expect(tags.map(({ modems: count }) => count)).toEqual([5]);
    const taggedSelection = { filterByTags: { filter: { include: [tag?.id ?? 0n] } } };
    const removal = await operator.updateTags({
      selection: taggedSelection,
      update: { tagIdsToRemove: [tag?.id ?? 0n] },
    });
    expect(removal.pagination?.total).toBe(5);
    expect((await operator.list({ selection: taggedSelection })).pagination?.total).toBe(0);
  });

  test('are skipped without an event if already assigned', async () => {
    const operator = modemsAs('operator');
    const [modem] = (await operator.list({})).modems;
    const number = modem?.number ?? '';
    const request = { selection: { modems: { include: [number] } }, update: { newTagsToAdd: [{ name: 'Again' }] } };
    const countEvents = async () => {
      const selection = { events: { include: [EventType.DEVICE_UPDATED] }, modems: { include: [number] } };
      return (await t.as('operator').client(EventService).history({ selection })).pagination?.total ?? 0;
    };
    const before = await countEvents();
    await operator.updateTags(request);
    await operator.updateTags(request);
    expect(await countEvents()).toBe(before + 1);
    const { tags } = await t
      .as('operator')
      .client(TagService)
      .list({ selection: { names: ['Again'] } });
    expect(tags).toHaveLength(1);
  });

  test('require MODEMS_UPDATE and must exist', async () => {
    const update = { newTagsToAdd: [{ name: 'Mine' }] };
    await expect(modemsAs('viewer').updateTags({ update })).rejects.toThrow('MODEMS_UPDATE');
    await expect(modemsAs('operator').updateTags({ update: { tagIdsToAdd: [4711n] } })).rejects.toThrow(
      'northwind has no tag with id 4711.',
    );
    await expect(modemsAs('operator').updateTags({ update: { tagIdsToAdd: [4711n, 4712n] } })).rejects.toThrow(
      'northwind has no tags with ids 4711 and 4712.',
    );
  });
});

test('creates devices with names, identifiers, tags, and a location', async () => {
  const developer = modemsAs('developer');
  const { modems } = await developer.create({
    amount: 2,
    names: ['Trial pump'],
    externalDeviceIdentifiers: ['trial-1'],
    lifecycle: Modem_Lifecycle.READY_TO_INSTALL,
    initialLocation: { case: 'location', value: { textual: '[52.9,6.6]' } },
    tags: { newTagsToAdd: [{ name: 'Trial' }] },
    includeModemsInResponse: true,
  });
  const [first, second] = modems.map(({ modem }) => modem);
  expect(first).toMatchObject({ name: 'Trial pump', externalDeviceIds: ['trial-1'], location: { latitude: 52.9 } });
  expect(second?.name).toBe(second?.number);
  expect(first?.tags.map(({ label }) => label?.name)).toEqual(['Trial']);
  const duplicateCreation = developer.create({ amount: 1, externalDeviceIdentifiers: ['trial-1'] });
  await expect(duplicateCreation).rejects.toThrow('"trial-1" is already in use');
  await expect(modemsAs('operator').create({ amount: 1 })).rejects.toThrow('MODEMS_CREATE');
});
