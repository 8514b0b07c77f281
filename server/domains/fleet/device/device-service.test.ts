import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DeviceService, Sort } from '#proto/gen/hiber/device_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
  await t.as('support').client(SupportService).allowChanges({ organization: 'northwind' });
});
afterAll(() => t.close());

const devicesAs = (kind: Parameters<TestServer['as']>[0]) => t.as(kind).client(DeviceService);

describe('listing', () => {
  test('shows customers the devices in normal lifecycles, by name', async () => {
    const { devices, pagination, request, sortedBy } = await devicesAs('viewer').list({});
    expect(pagination).toMatchObject({ total: 48, size: 50, page: 0, totalPages: 1 });
    expect(request).toMatchObject({ organization: 'northwind', pagination: { size: 50, page: 0 } });
    expect(sortedBy).toEqual([Sort.DEVICE_NAME_ASC]);
    const names = devices.map(({ name }) => name);
    expect(names).toEqual([...names].sort(new Intl.Collator('en', { numeric: true }).compare));
    expect(devices[0]).toMatchObject({ organization: 'northwind', health: { severity: expect.any(BigInt) } });
  });

  test('also shows staff the devices in hidden lifecycles, and retired devices on request', async () => {
    const staff = devicesAs('support');
    const normalList = await staff.list({ organization: 'northwind' });
    expect(normalList.pagination?.total).toBe(50);
    const include = [Modem_Lifecycle.DECOMMISSIONED, Modem_Lifecycle.DISABLED];
    const retiredList = await staff.list({ organization: 'northwind', selection: { lifecycles: { include } } });
    expect(retiredList.pagination?.total).toBe(2);
    const customerList = await devicesAs('viewer').list({ selection: { lifecycles: { include } } });
    expect(customerList.pagination?.total).toBe(0);
  });

  test('returns every device on exactly one page in every sort order', async () => {
    const sorts = Object.values(Sort);
    expect(sorts.length).toBeGreaterThan(20);
    for (const sort of sorts) {
      const numbers: string[] = [];
      for (const page of [0, 1]) {
        const { devices } = await devicesAs('viewer').list({ sortBy: [sort], pagination: { size: 30, page } });
        numbers.push(...devices.map(({ number }) => number));
      }
      expect(new Set(numbers).size, `sort ${sort}`).toBe(48);
    }
  });

  test('combines health, tag types, and search terms', async () => {
    const devices = devicesAs('viewer');
    const alarms = await devices.list({ selection: { healthLevel: { include: ['Alarm'] } } });
    expect(alarms.pagination?.total).toBe(5);
    expect(alarms.devices.every(({ health }) => health?.level === 'Alarm')).toBe(true);
    const well = await devices.list({ selection: { filterByTags: { names: ['Kestrel 1'], types: ['well'] } } });
    expect(well.devices.map(({ name }) => name)).toContain('Casing pressure, Kestrel 1');
    const casings = await devices.list({ selection: { freeTextSearch: 'casing KESTREL' } });
    expect(casings.devices.length).toBeGreaterThan(3);
    expect(casings.devices.every(({ name }) => name.startsWith('Casing pressure, Kestrel'))).toBe(true);
    // The search also matches tags.
    const area = await devices.list({ selection: { freeTextSearch: 'north field casing' } });
    expect(area.pagination?.total).toBe(casings.pagination?.total);
    const emptyPage = await devices.list({
      selection: { healthLevel: { include: ['Alarm'] }, freeTextSearch: 'no such thing' },
    });
    expect(emptyPage.pagination?.total).toBe(0);
  });

  test('returns gateways that are missing from the page', async () => {
    const { devices, gateways } = await devicesAs('viewer').list({
      selection: { excludeGateways: true },
      includeMissingGateways: true,
    });
    const linkedGateways = new Set(devices.map(({ link }) => link?.gateway));
    expect(gateways.map(({ number }) => number).sort((a, b) => a.localeCompare(b))).toEqual(
      [...linkedGateways].sort((a, b) => String(a).localeCompare(String(b))),
    );
  });

  test('rejects an unknown device', async () => {
    const listing = devicesAs('viewer').list({ selection: { modems: { include: ['00000000'] } } });
    await expect(listing).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: 'northwind has no device 0000 0000.',
    });
    const invalid = devicesAs('viewer').list({ selection: { modems: { include: ['pump'] } } });
    await expect(invalid).rejects.toThrow('"pump" isn\'t a device number');
  });
});

describe('updating', () => {
  test('changes each field of a device and records an event', async () => {
    const operator = devicesAs('operator');
    const [device] = (await operator.list({ selection: { freeTextSearch: 'casing' } })).devices;
    const number = device?.number ?? '';
    const { devices } = await operator.update({
      devices: [
        {
          selection: { modems: { include: [number.replace(' ', '').toLowerCase()] } },
          name: 'Casing pressure, north',
          notes: 'Seal replaced.',
          peripherals: {
            replace: {
              case: 'partialUpdate',
              value: { addPeripherals: { siren: '2' }, removePeripherals: ['antenna'] },
            },
          },
          lifecycle: Modem_Lifecycle.PENDING_MAINTENANCE,
        },
      ],
    });
    expect(devices).toMatchObject([
      {
        number,
        name: 'Casing pressure, north',
        notes: 'Seal replaced.',
        lifecycle: Modem_Lifecycle.PENDING_MAINTENANCE,
      },
    ]);
    expect(devices[0]?.peripherals).toMatchObject({ siren: '2' });
    expect(devices[0]?.peripherals).not.toHaveProperty('antenna');
    const { events } = await t
      .as('operator')
      .client(EventService)
      .history({
        selection: { events: { include: [EventType.DEVICE_UPDATED] }, modems: { include: [number] } },
      });
    expect(events[0]?.description).toContain('name, notes, peripherals, lifecycle to Pending maintenance');
  });

  test('replaces an empty name with the number', async () => {
    const operator = devicesAs('operator');
    const [device] = (await operator.list({ selection: { freeTextSearch: 'tubing' } })).devices;
    const selection = { modems: { include: [device?.number ?? ''] } };
    const { devices } = await operator.update({ devices: [{ selection, name: '' }] });
    expect(devices[0]?.name).toBe(device?.number);
  });

  test('renames several devices, or overwrites their notes, only when explicitly allowed', async () => {
    const operator = devicesAs('operator');
    const selection = { freeTextSearch: 'annulus' };
    const [device] = (await operator.list({ selection })).devices;
    await operator.update({
      devices: [{ selection: { modems: { include: [device?.number ?? ''] } }, notes: 'Original.' }],
    });
    await expect(operator.update({ devices: [{ selection, name: 'Same' }] })).rejects.toThrow('allow_bulk_rename');
    await expect(operator.update({ devices: [{ selection, notes: 'Shared.' }] })).rejects.toThrow('allow_bulk_notes');
    const { devices } = await operator.update({ devices: [{ selection, notes: 'Shared.', allowBulkNotes: true }] });
    expect(devices.length).toBeGreaterThan(5);
    expect(new Set(devices.map(({ notes }) => notes))).toEqual(new Set(['Shared.']));
  });

  test('applies either all updates of a request or none', async () => {
    const operator = devicesAs('operator');
    const [device] = (await operator.list({ selection: { freeTextSearch: 'choke' } })).devices;
    const selection = { modems: { include: [device?.number ?? ''] } };
    const update = operator.update({
      devices: [
        { selection, notes: 'First update.' },
        { selection: {}, notes: 'Second update.' },
      ],
    });
    await expect(update).rejects.toMatchObject({ code: Code.InvalidArgument });
    const [after] = (await operator.list({ selection })).devices;
    expect(after?.notes).toBe(device?.notes);
  });

  test('records an event for each update of a request, also for the same device', async () => {
    const operator = devicesAs('operator');
    const [first, second] = (await operator.list({ selection: { freeTextSearch: 'annulus' } })).devices;
    const update = (number = '', name = '') => ({ selection: { modems: { include: [number] } }, name });
    await operator.update({
      devices: [update(first?.number, 'A1'), update(second?.number, 'B1'), update(first?.number, 'A2')],
    });
    const { events } = await t
      .as('operator')
      .client(EventService)
      .history({
        selection: {
          events: { include: [EventType.DEVICE_UPDATED] },
          modems: { include: [first?.number ?? '', second?.number ?? ''] },
        },
        pagination: { size: 3 },
      });
    expect(events.map((event) => event.device?.name).toReversed()).toEqual(['A1', 'B1', 'A2']);
  });

  test('succeeds for concurrent calls with the same devices in different orders', async () => {
    const { devices } = await devicesAs('operator').list({ pagination: { size: 6 } });
    const updates = devices.map(({ number }) => ({ selection: { modems: { include: [number] } }, notes: 'Both' }));
    const calls = [updates, updates.toReversed(), updates, updates.toReversed()];
    const results = await Promise.allSettled(calls.map((update) => devicesAs('operator').update({ devices: update })));
    // PostgreSQL would detect a deadlock and abort a call; the embedded database runs one transaction at a time.
    expect(results.map(({ status }) => status)).toEqual(calls.map(() => 'fulfilled'));
  });

  test('reports the permission that a field requires in addition to MODEMS_UPDATE', async () => {
    const selection = { freeTextSearch: 'gateway' };
    const operator = devicesAs('operator');
    const zone = operator.update({ devices: [{ selection, timeZone: 'Europe/Oslo' }] });
    await expect(zone).rejects.toMatchObject({ code: Code.PermissionDenied });
    await expect(zone).rejects.toThrow('MANAGE_DEVICE_TIME_ZONE');
    const lifecycleUpdate = operator.update({ devices: [{ selection, lifecycle: Modem_Lifecycle.DEFECTIVE }] });
    await expect(lifecycleUpdate).rejects.toThrow('DEVICE_VIEW_ALL_LIFECYCLES');
    await expect(devicesAs('viewer').update({ devices: [{ selection, notes: '' }] })).rejects.toThrow('MODEMS_UPDATE');
    const staff = await devicesAs('support').update({
      organization: 'northwind',
      devices: [{ selection, timeZone: 'Europe/Oslo', transmissionInterval: { textual: '2h' } }],
    });
    expect(staff.devices[0]).toMatchObject({ timeZone: 'Europe/Oslo', transmissionInterval: { textual: '2h' } });
  });

  test('shows secure notes only with permission', async () => {
    const operator = devicesAs('operator');
    const [device] = (await operator.list({ selection: { freeTextSearch: 'separator' } })).devices;
    const selection = { modems: { include: [device?.number ?? ''] } };
    const { devices } = await operator.update({ devices: [{ selection, secureNotes: 'Gate code 4711' }] });
    expect(devices[0]?.secureNotes).toBe('Gate code 4711');
    expect((await devicesAs('viewer').list({ selection })).devices[0]?.secureNotes).toBeUndefined();
  });
});

test('lists the lifecycles visible to the caller, highlighting those that require action', async () => {
  const { lifecycles } = await devicesAs('viewer').lifecycles({});
  expect(lifecycles.map(({ lifecycle }) => lifecycle)).not.toContain(Modem_Lifecycle.DEFECTIVE);
  expect(lifecycles.filter(({ highlighted }) => highlighted).map(({ lifecycle }) => lifecycle)).toEqual([
    Modem_Lifecycle.PENDING_MAINTENANCE,
    Modem_Lifecycle.PENDING_REPLACEMENT,
  ]);
  const supportLifecycles = (await devicesAs('support').lifecycles({})).lifecycles;
  expect(supportLifecycles).toHaveLength(10);
  expect(supportLifecycles.find(({ lifecycle }) => lifecycle === Modem_Lifecycle.DEFECTIVE)?.visibilityLimited).toBe(
    true,
  );
});
