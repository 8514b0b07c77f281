import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
  await t.as('support').client(SupportService).allowChanges({ organization: 'northwind' });
});
afterAll(() => t.close());

const tagsAs = (kind: Parameters<TestServer['as']>[0]) => t.as(kind).client(TagService);

describe('listing', () => {
  test('sorts by priority, then name, and counts only on request', async () => {
    const withoutCounts = await tagsAs('viewer').list({});
    expect(withoutCounts.tags.map(({ label }) => label?.type).slice(0, 2)).toEqual(['production_area', 'site']);
    expect(withoutCounts.tags.find(({ label }) => label?.name === 'North field')).toBeDefined();
    expect(withoutCounts.tagModemCount).toEqual({});
    const withCounts = await tagsAs('viewer').list({ modemCount: true, webhookCount: true });
    const area = withCounts.tags[0]?.id ?? 0n;
    expect(withCounts.tagModemCount[String(area)]).toBe(48);
    expect(withCounts.tagWebhookCount[String(area)]).toBe(0);
  });

  test('selects by search, type, name, id, and association', async () => {
    const viewer = tagsAs('viewer');
    const names = async (selection: Parameters<typeof viewer.list>[0]['selection']) =>
      (await viewer.list({ selection })).tags.map(({ label }) => label?.name);
    expect(await names({ search: ['NORTH'] })).toEqual(['North field']);
    expect(await names({ search: ['north', 'pad'] })).toEqual(['North field', 'Kestrel pad']);
    expect(await names({ types: ['site'] })).toEqual(['Kestrel pad']);
    const wells = (await viewer.list({ selection: { names: ['Kestrel 2'], types: ['well'] } })).tags;
    const id = wells[0]?.id ?? 0n;
    expect(await names({ filter: { include: [id] } })).toEqual(['Kestrel 2']);
    expect(await names({ associatedWith: { include: [id] }, types: ['site', 'well'] })).toEqual(['Kestrel pad']);
  });
});

describe('writing', () => {
  test('creates, changes, and deletes a tag with a location, and records an event for its devices', async () => {
    const operator = tagsAs('operator');
    const tag = await operator.create({
      create: { name: ' Needs visit ' },
      location: { case: 'locationArea', value: { textual: '[[53.0,6.8],[52.8,6.4]]' } },
      priority: 30,
    });
    expect(tag).toMatchObject({ label: { name: 'Needs visit', type: 'group' }, priority: 30 });
    expect(tag.metadata?.location.value).toMatchObject({
      textual: '[[52.8,6.4],[53,6.8]]',
      center: { latitude: 52.9 },
    });

    const touchingArea = { areas: [{ textual: '[[52.9,6.7],[53.5,7]]' }] };
    const nearbyTags = await operator.list({ selection: { location: touchingArea } });
    expect(nearbyTags.tags).toEqual([tag]);
    const distantTags = await operator.list({ selection: { location: { areas: [{ textual: '[[10,10],[11,11]]' }] } } });
    expect(distantTags.tags).toEqual([]);

    const updatedTag = await operator.update({
      id: tag.id,
      update: { name: 'Needs a visit' },
      location: { case: 'removeLocation', value: true },
    });
    expect(updatedTag).toMatchObject({ label: { name: 'Needs a visit', type: 'group' }, priority: 30 });
    expect(updatedTag.metadata?.location.case).toBeUndefined();

    const [device] = (await t.as('operator').client(DeviceService).list({})).devices;
    const selection = { modems: { include: [device?.number ?? ''] } };
    await t
      .as('operator')
      .client(ModemService)
      .updateTags({ selection, update: { tagIdsToAdd: [tag.id] } });
    await operator.delete({ id: tag.id });
    expect((await operator.list({ selection: { search: ['visit'] } })).tags).toEqual([]);
    const { events } = await t
      .as('operator')
      .client(EventService)
      .history({
        selection: { events: { include: [EventType.DEVICE_UPDATED] }, modems: { include: [device?.number ?? ''] } },
      });
    expect(events[0]?.description).toContain('tag "Needs a visit" removed');
  });

  test('stores files with a tag and requires MANAGE_FILES to delete them', async () => {
    const administrator = tagsAs('administrator');
    const data = { case: 'dataRaw' as const, value: new Uint8Array([1, 2, 3]) };
    const tag = await administrator.create({
      create: { name: 'With a file' },
      files: [{ content: data, name: 'plan', mediaType: 'image/png' }],
    });
    const [file] = tag.metadata?.files ?? [];
    expect(file).toMatchObject({ name: 'plan', content: { case: 'fileService', value: true } });
    expect(file?.link).toMatch(/^\/files\/northwind\/[0-9a-f]{32}$/);
    const deletion = { id: tag.id, deleteFiles: [file?.identifier ?? ''] };
    await expect(administrator.update(deletion)).rejects.toThrow('MANAGE_FILES');
    const after = await tagsAs('support').update({ organization: 'northwind', ...deletion });
    expect(after.metadata?.files).toEqual([]);
  });

  test('explains why a change is rejected', async () => {
    const operator = tagsAs('operator');
    const errorFrom = (call: Promise<unknown>) =>
      call.then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(await errorFrom(tagsAs('viewer').create({ create: { name: 'X' } }))).toMatchObject({
      code: Code.PermissionDenied,
    });
    expect(await errorFrom(operator.create({ create: { name: ' ' } }))).toMatchObject({
      rawMessage: 'A tag needs a name.',
    });
    const duplicateError = await errorFrom(
      operator.create({ create: { name: 'North field', type: 'production_area' } }),
    );
    expect(duplicateError).toMatchObject({ code: Code.AlreadyExists });
    const custom = await errorFrom(operator.create({ create: { name: 'Crane', type: 'equipment' } }));
    expect(custom).toMatchObject({ code: Code.PermissionDenied, rawMessage: expect.stringContaining('CUSTOM_TAGS') });
    expect(await errorFrom(operator.delete({ id: 4711n }))).toMatchObject({ code: Code.NotFound });
    const [well] = (await operator.list({ selection: { types: ['well'] } })).tags;
    const update = { organization: 'northwind', id: well?.id, update: { type: 'equipment' } };
    await expect(tagsAs('support').update(update)).rejects.toThrow("can't be changed to the custom type");
  });
});

test('the health rpc returns a row for each tag and level, and flags the most severe level', async () => {
  const { tagHealth } = await tagsAs('viewer').health({ selection: { names: ['North field'] }, modemCount: true });
  expect(
    tagHealth.map(({ healthLevel, mostSevere, modemCount }) => [healthLevel?.level, mostSevere, modemCount]),
  ).toEqual([
    ['Healthy', false, 40],
    ['Build up', false, 3],
    ['Alarm', true, 5],
  ]);
});
