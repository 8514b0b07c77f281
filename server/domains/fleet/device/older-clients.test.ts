// Tests the deprecated fields that this server still supports for older clients.
import { create } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { Modem_Type, ModemService, UpdateModemTagsRequestSchema } from '#proto/gen/hiber/modem_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { captureError, startTestServer, type TestServer, transportFor } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

const modems = () => t.as('administrator').client(ModemService);
const events = () => t.as('administrator').client(EventService);
const everything = { size: 1000 };

describe('a deprecated selection field', () => {
  test('narrows an update in the same way as a list', async () => {
    const sensors = await modems().list({ selection: { includeTypes: [Modem_Type.SENSOR] }, pagination: { size: 1 } });
    const [sensor] = sensors.modems;
    const response = await modems().updateTags({
      selection: { modems: { include: [sensor?.number ?? ''] }, onlyGateways: true },
      update: { newTagsToAdd: [{ name: 'Only gateways' }] },
    });
    expect(response.modems).toEqual([]);
    const { modems: after } = await modems().list({ selection: { filterByTags: { names: ['Only gateways'] } } });
    expect(after).toEqual([]);
  });

  test("is rejected without any change if this server can't evaluate it", async () => {
    const request = create(UpdateModemTagsRequestSchema, {
      selection: { activatedIn: { start: { textual: '-1h' } } },
      update: { newTagsToAdd: [{ name: 'Newly activated' }] },
    });
    const transport = transportFor(t.app, t.as('administrator').bearer);
    const error = await captureError(transport, ModemService.method.updateTags, request);
    expect(error?.code).toBe(Code.InvalidArgument);
    expect(error?.rawMessage).toContain('activated_in');
    const { tags } = await t
      .as('administrator')
      .client(TagService)
      .list({ selection: { names: ['Newly activated'] } });
    expect(tags).toEqual([]);
    // A range without bounds has no effect.
    expect((await modems().list({ selection: { activatedIn: {} } })).modems.length).toBeGreaterThan(0);
  });

  test('selects events, unless the request sets the flag that replaces it', async () => {
    const history = await events().history({ pagination: everything, selection: { includeResolvedEvents: true } });
    const errors = await events().history({
      pagination: everything,
      selection: { includeResolvedEvents: true, errorsOnly: true },
    });
    expect(errors.events.map(({ title }) => title)).toEqual(
      history.events.filter(({ isError }) => isError).map(({ title }) => title),
    );
    expect(errors.events.length).toBeGreaterThan(0);
    expect(errors.events.length).toBeLessThan(history.events.length);

    const unbundled = await events().list({ selection: { unbundledEvents: true } });
    expect(unbundled.unbundledEvents.length).toBeGreaterThan(0);
    expect(unbundled.request?.unbundledEvents).toBe(true);
    const listing = await events().list({ selection: { unbundledEvents: true }, unbundledEvents: false });
    expect(listing.unbundledEvents).toEqual([]);
    expect(listing.events.length).toBeGreaterThan(0);
  });

  test('finds a device in an included child organization', async () => {
    const allModems = await modems().list({ childOrganizations: { includeAll: true }, pagination: everything });
    const childDevice = allModems.modems.find(({ organization }) => organization !== 'northwind');
    expect(childDevice).toBeDefined();
    const modemNumber = childDevice?.number ?? '';
    await expect(modems().get({ modemNumber })).rejects.toMatchObject({ code: Code.NotFound });
    const device = await modems().get({ modemNumber, childOrganizations: { includeAll: true } });
    expect(device.organization).toBe(childDevice?.organization);
  });
});

describe('a deprecated response field', () => {
  test('matches its successor on devices', async () => {
    const { modems: all } = await modems().list({ pagination: everything });
    const gateway = all.find(({ type }) => type === Modem_Type.GATEWAY);
    const sensor = all.find((modem) => modem.connectedDeviceInfo !== undefined && modem.externalDeviceIds.length > 0);
    expect(gateway).toMatchObject({ isGateway: true, isDeviceConnectedToGateway: false, connectedToGateway: '' });
    expect(gateway?.gatewayInfo).toMatchObject({
      deviceType: gateway?.deviceType,
      externalDeviceIds: gateway?.externalDeviceIds,
    });
    expect(gateway?.deviceType).not.toBe('');
    expect(sensor).toMatchObject({
      isGateway: false,
      isDeviceConnectedToGateway: true,
      connectedToGateway: sensor?.connectedDeviceInfo?.connectedToGateway,
    });
    expect(sensor?.connectedToGateway).not.toBe('');
    expect(sensor?.connectedDeviceInfo).toMatchObject({
      deviceType: sensor?.deviceType,
      externalDeviceIds: sensor?.externalDeviceIds,
    });
    expect(sensor?.deviceType).not.toBe('');
  });

  test('matches its successor on messages and bundles', async () => {
    const { messages } = await t
      .as('administrator')
      .client(MessageService)
      .list({ pagination: { size: 5 } });
    expect(messages).toHaveLength(5);
    for (const message of messages) {
      expect(message.body.length).toBeGreaterThan(0);
      expect(message.body).toEqual(message.bodyBytes?.bytes);
    }
    const { events: bundles } = await events().list({});
    expect(bundles.length).toBeGreaterThan(0);
    for (const bundle of bundles) {
      if (bundle.amount.case !== 'exactAmount') throw new Error('The seed has few events of each type.');
      expect(bundle.deprecatedAmount).toBe(bundle.amount.value.amount);
      expect(bundle.deprecatedLastEvent).toEqual(bundle.amount.value.lastEvent);
      expect(bundle.deprecatedApproximatedAmount).toBe(false);
    }
  });

  test('counts process points as assets, by tag', async () => {
    const { tagAssetCount, tagProcessPointCount } = await t
      .as('administrator')
      .client(TagService)
      .list({ assetCount: true, processPointCount: true });
    expect(Object.keys(tagAssetCount).length).toBeGreaterThan(0);
    expect(tagAssetCount).toEqual(tagProcessPointCount);
  });
});

test('tags have the same priority in messages and events as on their device', async () => {
  const tags = t.as('administrator').client(TagService);
  const tag = await tags.create({ create: { name: 'Priority' }, priority: 7 });
  const [message] = (
    await t
      .as('administrator')
      .client(MessageService)
      .list({ pagination: { size: 1 } })
  ).messages;
  const number = message?.modemNumber ?? '';
  await modems().updateTags({ selection: { modems: { include: [number] } }, update: { tagIdsToAdd: [tag.id] } });

  const priorityIn = (itemTags: readonly { id: bigint; priority?: number }[] = []) =>
    itemTags.find(({ id }) => id === tag.id)?.priority;
  expect(priorityIn((await modems().get({ modemNumber: number })).tags)).toBe(7);
  const selection = { modemSelection: { modems: { include: [number] } } };
  const updatedList = await t
    .as('administrator')
    .client(MessageService)
    .list({ selection, pagination: { size: 1 } });
  expect(priorityIn(updatedList.messages[0]?.tags)).toBe(7);
  const [event] = (await events().history({ selection: { events: { include: [EventType.DEVICE_UPDATED] } } })).events;
  expect(priorityIn(event?.tags)).toBe(7);
});
