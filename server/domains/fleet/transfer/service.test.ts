import { Code } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Modem_Lifecycle, ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { TransferService } from '#proto/gen/hiber/transfer_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import type { PersonKind } from '#server/demo/seed/people.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

const HOME = 'northwind';
const NORTH = 'northwind-north';
const PERMIAN = 'northwind-permian';
const MINUTE = 60_000;

let t: TestServer;
let numbers: string[];
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());
beforeEach(async () => {
  t.advance(MINUTE);
  const { rows } = await t.app.db.orm.execute<{ number: string }>(sql`select number from device
    where organization = ${HOME} and lifecycle = ${Modem_Lifecycle.INSTALLED} order by number limit 3`);
  numbers = rows.map(({ number }) => number);
});

const transfers = (kind: PersonKind = 'administrator') => t.as(kind).client(TransferService);
const devices = (included: readonly string[]) => ({
  case: 'devices' as const,
  value: { modems: { include: [...included] } },
});
const to = (value: string) => ({ case: 'recipientOrganization' as const, value });
const send = (included: readonly string[], recipient = NORTH, comment = '') =>
  transfers().transfer({ recipientOrganizationOrCreate: to(recipient), type: devices(included), comment });
const newOrganization = (value: object) => ({
  case: 'newOrganization' as const,
  value: { contact: { name: 'Ada', email: 'ada@example.com' }, ...value },
});
const history = async (selection: object = {}, organization = HOME, kind: PersonKind = 'administrator') =>
  (await transfers(kind).history({ organization, selection })).transferHistory;
const setLifecycle = (number: string, lifecycle: Modem_Lifecycle) =>
  t.app.db.orm.execute(sql`update device set lifecycle = ${lifecycle} where number = ${number}`);

describe('a transfer', () => {
  test('moves the devices, which keep their number and name and have to be installed again', async () => {
    const [number = ''] = numbers;
    const modems = t.as('administrator').client(ModemService);
    const { modems: before } = await modems.list({ selection: { modems: { include: numbers } } });
    const { transfer, request } = await send(numbers, NORTH, ' For the trials ');
    expect(transfer).toMatchObject({
      senderOrganization: HOME,
      recipientOrganization: NORTH,
      comment: 'For the trials',
      typed: { value: { numbers } },
    });
    expect(request).toMatchObject({ organization: HOME });
    const { modems: left } = await modems.list({});
    expect(left.map((modem) => modem.number)).not.toContain(number);
    const { modems: arrived } = await modems.list({
      organization: NORTH,
      selection: { transfers: { transfersIdentifiers: [transfer?.identifier ?? ''] } },
    });
    expect(new Map(arrived.map((modem) => [modem.number, modem.name]))).toEqual(
      new Map(before.map((modem) => [modem.number, modem.name])),
    );
    expect(arrived[0]).toMatchObject({ lifecycle: Modem_Lifecycle.READY_TO_INSTALL, notes: '', tags: [] });
  });

  test('records an event in both organizations, which names the devices', async () => {
    const { transfer } = await send(numbers, NORTH, 'Swap');
    const selection = { events: { include: [EventType.TRANSFER] } };
    for (const [organization, title] of [
      [HOME, 'Devices sent'],
      [NORTH, 'Devices received'],
    ] as const) {
      const { unbundledEvents } = await t
        .as('administrator')
        .client(EventService)
        .list({ organization, selection, unbundledEvents: true });
      const [event] = unbundledEvents.flatMap((group) => group.unbundledEvents);
      expect(event).toMatchObject({
        title,
        description: `3 devices were transferred from "${HOME}" to "${NORTH}": ${numbers[0]}, ${numbers[1]}, and ${numbers[2]}.`,
        event: { case: 'transfer', value: { organization, transfer: { identifier: transfer?.identifier } } },
      });
    }
  });

  test('names a single device in the title of the event', async () => {
    await send(numbers.slice(0, 1), NORTH, 'Swap');
    const selection = { events: { include: [EventType.TRANSFER] } };
    const { unbundledEvents } = await t
      .as('administrator')
      .client(EventService)
      .list({ organization: HOME, selection, unbundledEvents: true });
    expect(unbundledEvents.flatMap((group) => group.unbundledEvents)[0]?.title).toBe('Device sent');
  });

  test('can create its recipient, which requires ORGANIZATION_CREATE', async () => {
    const request = { type: devices(numbers.slice(0, 1)) };
    const operator = transfers('operator').transfer({
      ...request,
      recipientOrganizationOrCreate: newOrganization({ newOrganization: 'trials' }),
    });
    await expect(operator).rejects.toThrow('ORGANIZATION_CREATE');
    const taken = transfers().transfer({
      ...request,
      recipientOrganizationOrCreate: newOrganization({ newOrganization: 'quarterdeck' }),
    });
    await expect(taken).rejects.toMatchObject({ code: Code.AlreadyExists });
    const outside = transfers().transfer({
      ...request,
      recipientOrganizationOrCreate: newOrganization({ newOrganization: 'x', parentOrganization: 'quarterdeck' }),
    });
    await expect(outside).rejects.toThrow('You don\'t have access to organization "quarterdeck"');
    const { transfer } = await transfers().transfer({
      ...request,
      recipientOrganizationOrCreate: newOrganization({ newOrganization: 'trials', parentOrganization: NORTH }),
    });
    expect(transfer).toMatchObject({ recipientOrganization: 'trials' });
    const { childOrganizations } = await t
      .as('administrator')
      .client(OrganizationService)
      .listChildOrganizations({ organization: NORTH });
    expect(childOrganizations.map(({ organization }) => organization)).toContain('trials');
  });

  test('creates no recipient if the devices cannot be transferred', async () => {
    const impossible = transfers().transfer({
      type: devices(['FFFF FFFF']),
      recipientOrganizationOrCreate: newOrganization({ newOrganization: 'never' }),
    });
    await expect(impossible).rejects.toThrow(`${HOME} has no device FFFF FFFF`);
    await expect(send(numbers, 'never')).rejects.toMatchObject({ code: Code.PermissionDenied });
  });

  test('explains what is wrong with a request', async () => {
    const errorFor = (request: object) =>
      transfers()
        .transfer({ recipientOrganizationOrCreate: to(NORTH), type: devices(numbers), ...request })
        .then(() => 'accepted', String);
    expect(await errorFor({ recipientOrganizationOrCreate: to(HOME) })).toContain(`already in "${HOME}"`);
    expect(await errorFor({ recipientOrganizationOrCreate: to('nowhere') })).toContain(
      'access to organization "nowhere"',
    );
    expect(await errorFor({ recipientOrganizationOrCreate: to('quarterdeck') })).toContain('access to organization');
    expect(await errorFor({ recipientOrganizationOrCreate: to(' ') })).toContain('Specify the organization');
    expect(await errorFor({ recipientOrganizationOrCreate: undefined })).toContain('Specify the organization');
    expect(await errorFor({ type: undefined })).toContain('Select the devices');
    expect(await errorFor({ type: { case: 'devices', value: {} } })).toContain('Select the devices');
    const none = { case: 'devices', value: { freeTextSearch: 'no such device' } };
    expect(await errorFor({ type: none })).toContain('matches no devices');
    expect(await errorFor({ comment: 'x'.repeat(1001) })).toContain('Expected at most 1000');
    expect(await errorFor({ comment: 'a\nb' })).toContain('invisible character');
  });

  test('requires TRANSFERS_SEND in the sender and access to the recipient', async () => {
    const request = { recipientOrganizationOrCreate: to(NORTH), type: devices(numbers) };
    await expect(transfers('viewer').transfer(request)).rejects.toThrow('TRANSFERS_SEND');
    await expect(transfers('newcomer').transfer({ ...request, organization: HOME })).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
    const { token } = await t
      .as('administrator')
      .client(TokenService)
      .create({
        name: 'narrow',
        organizationPermissions: { include: [OrganizationPermission.TRANSFERS_SEND] },
        limitImpersonation: { includeAll: true, exclude: [NORTH] },
      });
    const narrow = t.with(token).client(TransferService);
    await expect(narrow.transfer(request)).rejects.toThrow(`access to organization "${NORTH}"`);
    await narrow.transfer({ ...request, recipientOrganizationOrCreate: to(PERMIAN) });
  });

  test('of a hidden device is possible and visible only for those who see it', async () => {
    const [number = ''] = numbers;
    await setLifecycle(number, Modem_Lifecycle.DEFECTIVE);
    await expect(send([number])).rejects.toThrow(`no device ${number}`);
    const support = t.as('support');
    await support.client(SupportService).allowChanges({ organization: HOME, reason: 'Swap' });
    const { transfer } = await support.client(TransferService).transfer({
      organization: HOME,
      recipientOrganizationOrCreate: to(NORTH),
      type: devices([number]),
    });
    const identifiers = [transfer?.identifier ?? ''];
    expect(await history({ identifiers })).toEqual([]);
    expect(await history({ identifiers }, HOME, 'support')).toMatchObject([
      { typed: { value: { numbers: [number] } } },
    ]);
  });

  test('of a gateway leaves the devices that were connected to it', async () => {
    const [gateway = '', connected = ''] = numbers;
    await t.app.db.orm.execute(
      sql`update device set gateway = ${gateway}, gateway_brand = 'Acme' where organization = ${HOME} and number = ${connected}`,
    );
    await send([gateway]);
    const { rows } = await t.app.db.orm.execute(
      sql`select organization, gateway, gateway_brand from device where number = ${connected}`,
    );
    expect(rows).toEqual([{ organization: HOME, gateway: null, gateway_brand: null }]);
  });
});

describe('the history', () => {
  test('is newest first, in pages, and stays when the devices move on', async () => {
    const first = await send(numbers.slice(0, 1), NORTH, 'First');
    t.advance(MINUTE);
    const second = await send(numbers.slice(1), NORTH, 'Second');
    const [number = ''] = numbers;
    t.advance(MINUTE);
    await transfers().transfer({
      organization: NORTH,
      recipientOrganizationOrCreate: to(PERMIAN),
      type: devices([number]),
    });
    const page = await transfers().history({ pagination: { size: 2 } });
    expect(page.transferHistory.map(({ comment }) => comment)).toEqual(['Second', 'First']);
    expect(page.pagination).toMatchObject({ size: 2, page: 0 });
    const identifiers = [first.transfer?.identifier ?? '', second.transfer?.identifier ?? ''];
    expect(await history({ identifiers: identifiers.slice(0, 1) }, NORTH)).toMatchObject([
      { comment: 'First', typed: { value: { numbers: [number] } } },
    ]);
    expect(await history({ devices: undefined, identifiers }, PERMIAN)).toEqual([]);
  });

  test('can be limited to what was sent or received, and to a time', async () => {
    const { transfer } = await send(numbers, NORTH);
    const identifiers = [transfer?.identifier ?? ''];
    expect(await history({ identifiers, sentOnly: true })).toHaveLength(1);
    expect(await history({ identifiers, receivedOnly: true })).toHaveLength(0);
    expect(await history({ identifiers, sentOnly: true }, NORTH)).toHaveLength(0);
    expect(await history({ identifiers, receivedOnly: true }, NORTH)).toHaveLength(1);
    await expect(history({ receivedOnly: true, sentOnly: true })).rejects.toThrow('not both');
    t.advance(10 * MINUTE);
    const range = (start: string) => ({ timeRange: { start: { textual: start } }, identifiers });
    expect(await history(range('-5m'))).toHaveLength(0);
    expect(await history(range('-15m'))).toHaveLength(1);
  });

  test('finds organizations, comments, and devices, also those that are gone', async () => {
    const [number = ''] = numbers;
    const { transfer } = await send([number], PERMIAN, 'Warranty 100% swap_1');
    const find = async (selection: object) =>
      (await history(selection)).some(({ identifier }) => identifier === transfer?.identifier);
    const compact = number.replace(' ', '').toLowerCase();
    for (const search of ['warranty permian', '100%', 'swap_1', compact, transfer?.identifier]) {
      expect([search, await find({ search })]).toEqual([search, true]);
    }
    for (const search of ['warranty trials', 'swapx1', 'FFFFFFF1']) {
      expect([search, await find({ search })]).toEqual([search, false]);
    }
    expect(await find({ selection: devices([number]) })).toBe(true);
    expect(await find({ selection: devices(numbers.slice(1)) })).toBe(false);
    const excluded = { case: 'devices', value: { modems: { exclude: [number] } } };
    expect(await find({ selection: excluded })).toBe(false);
    // Only the recipient still has the device, so only there can other criteria match it.
    const installing = { case: 'devices', value: { lifecycles: { include: [Modem_Lifecycle.READY_TO_INSTALL] } } };
    expect(await find({ selection: installing })).toBe(false);
    const identifiers = [transfer?.identifier ?? ''];
    expect(await history({ identifiers, selection: installing }, PERMIAN)).toHaveLength(1);
  });

  test("requires TRANSFERS, and shows only the organization's own transfers", async () => {
    const { transfer } = await send(numbers, NORTH);
    expect(await history({ identifiers: [transfer?.identifier ?? ''] }, PERMIAN)).toEqual([]);
    await expect(history({}, HOME, 'newcomer')).rejects.toMatchObject({ code: Code.PermissionDenied });
    const { token } = await t
      .as('administrator')
      .client(TokenService)
      .create({ name: 'modems only', organizationPermissions: { include: [OrganizationPermission.MODEMS] } });
    await expect(t.with(token).client(TransferService).history({})).rejects.toThrow('TRANSFERS');
  });
});
