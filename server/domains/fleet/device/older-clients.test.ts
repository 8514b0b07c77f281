// Deprecated fields of the contract that this server serves, as a client sends and reads them that knows no other.
import { create } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { Modem_Type, ModemService, UpdateModemTagsRequestSchema } from '#proto/gen/hiber/modem_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { refusalOf, startTestServer, type TestServer, transportFor } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

const modems = () => t.as('administrator').client(ModemService);
const events = () => t.as('administrator').client(EventService);
const everything = { size: 1000 };

describe('a selection by a deprecated field', () => {
  it('narrows a write as much as a list', async () => {
    const sensors = await modems().list({ selection: { includeTypes: [Modem_Type.SENSOR] }, pagination: { size: 1 } });
    const [sensor] = sensors.modems;
    const changed = await modems().updateTags({
      selection: { modems: { include: [sensor?.number ?? ''] }, onlyGateways: true },
      update: { newTagsToAdd: [{ name: 'Only gateways' }] },
    });
    expect(changed.modems).toEqual([]);
    const { modems: after } = await modems().list({ selection: { filterByTags: { names: ['Only gateways'] } } });
    expect(after).toEqual([]);
  });

  it('is refused where this server cannot tell, and changes nothing', async () => {
    const request = create(UpdateModemTagsRequestSchema, {
      selection: { activatedIn: { start: { textual: '-1h' } } },
      update: { newTagsToAdd: [{ name: 'Newly activated' }] },
    });
    const transport = transportFor(t.app, t.as('administrator').bearer);
    const refusal = await refusalOf(transport, ModemService.method.updateTags, request);
    expect(refusal?.code).toBe(Code.InvalidArgument);
    expect(refusal?.rawMessage).toContain('activated_in');
    const { tags } = await t
      .as('administrator')
      .client(TagService)
      .list({ selection: { names: ['Newly activated'] } });
    expect(tags).toEqual([]);
    // A range without bounds asks for nothing.
    expect((await modems().list({ selection: { activatedIn: {} } })).modems.length).toBeGreaterThan(0);
  });

  it('of events asks for those that its flag marks, and the flag of the request overrules that of the selection', async () => {
    const all = await events().history({ pagination: everything, selection: { includeResolvedEvents: true } });
    const errors = await events().history({
      pagination: everything,
      selection: { includeResolvedEvents: true, errorsOnly: true },
    });
    expect(errors.events.map(({ title }) => title)).toEqual(
      all.events.filter(({ isError }) => isError).map(({ title }) => title),
    );
    expect(errors.events.length).toBeGreaterThan(0);
    expect(errors.events.length).toBeLessThan(all.events.length);

    const unbundled = await events().list({ selection: { unbundledEvents: true } });
    expect(unbundled.unbundledEvents.length).toBeGreaterThan(0);
    expect(unbundled.request?.unbundledEvents).toBe(true);
    const bundled = await events().list({ selection: { unbundledEvents: true }, unbundledEvents: false });
    expect(bundled.unbundledEvents).toEqual([]);
    expect(bundled.events.length).toBeGreaterThan(0);
  });

  it('of one device looks in the child organizations that it opens', async () => {
    const below = await modems().list({ childOrganizations: { includeAll: true }, pagination: everything });
    const elsewhere = below.modems.find(({ organization }) => organization !== 'northwind');
    expect(elsewhere).toBeDefined();
    const modemNumber = elsewhere?.number ?? '';
    await expect(modems().get({ modemNumber })).rejects.toMatchObject({ code: Code.NotFound });
    const found = await modems().get({ modemNumber, childOrganizations: { includeAll: true } });
    expect(found.organization).toBe(elsewhere?.organization);
  });
});

describe('a deprecated field of an answer', () => {
  it('says of a device what its successor says', async () => {
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

  it('says of a message and of a bundle what its successor says', async () => {
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

  it('counts process points as assets, by tag', async () => {
    const { tagAssetCount, tagProcessPointCount } = await t
      .as('administrator')
      .client(TagService)
      .list({ assetCount: true, processPointCount: true });
    expect(Object.keys(tagAssetCount).length).toBeGreaterThan(0);
    expect(tagAssetCount).toEqual(tagProcessPointCount);
  });
});

it('tags have the same priority in messages and events as on their device', async () => {
  const tags = t.as('administrator').client(TagService);
  const tag = await tags.create({ create: { name: 'Look here first' }, priority: 7 });
  const [message] = (
    await t
      .as('administrator')
      .client(MessageService)
      .list({ pagination: { size: 1 } })
  ).messages;
  const number = message?.modemNumber ?? '';
  await modems().updateTags({ selection: { modems: { include: [number] } }, update: { tagIdsToAdd: [tag.id] } });

  const priorityIn = (carried: readonly { id: bigint; priority?: number }[] = []) =>
    carried.find(({ id }) => id === tag.id)?.priority;
  expect(priorityIn((await modems().get({ modemNumber: number })).tags)).toBe(7);
  const selection = { modemSelection: { modems: { include: [number] } } };
  const again = await t
    .as('administrator')
    .client(MessageService)
    .list({ selection, pagination: { size: 1 } });
  expect(priorityIn(again.messages[0]?.tags)).toBe(7);
  const [event] = (await events().history({ selection: { events: { include: [EventType.DEVICE_UPDATED] } } })).events;
  expect(priorityIn(event?.tags)).toBe(7);
});
