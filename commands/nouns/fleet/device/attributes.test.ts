import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import * as resources from '#commands/cli/strings.ts';
import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import { ModemSchema } from '#proto/gen/hiber/modem_pb.ts';
import { Value_Numeric_Type } from '#proto/gen/hiber/value_pb.ts';

import { device } from './entity.ts';
import type { Device } from './item.ts';

const translate = translateWith(await createTranslator('en', resources));

const deviceWith = (modem: MessageInitShape<typeof ModemSchema>): Device => ({
  modem: create(ModemSchema, { number: 'AAAA 0001', ...modem }),
  level: 'ok',
});
const detailField = (id: string) => device.details!.find((field) => field.id === id)!;
function detailText(id: string, item: Device): string | undefined {
  const value = detailField(id).value(item);
  return typeof value === 'object' ? translate(value) : value;
}

test.each<readonly [detail: string, modem: MessageInitShape<typeof ModemSchema>, expected: string]>([
  [
    'measures',
    { numericValueTypes: [Value_Numeric_Type.PRESSURE, Value_Numeric_Type.TEMPERATURE] },
    'Pressure, Temperature',
  ],
  [
    'processPoints',
    { processPoints: [{ name: 'Avocet 7 tubing' }, { name: 'Avocet 7 casing' }] },
    'Avocet 7 tubing, Avocet 7 casing',
  ],
  ['bodySize', { lastMessageBody: { bytes: new Uint8Array(12) } }, '12 bytes'],
  ['firmwareVersion', { metadata: { firmware: '1.8.3' } }, '1.8.3'],
  ['firmwareVersion', { metadata: { firmware_version: '2.0', firmware: '1.8.3' } }, '2.0'],
  ['rebootCounter', { metadata: { 'Reboot counter': 0 } }, '0'],
  ['batteryType', { metadata: { 'battery-type': 'Li-SOCl2' } }, 'Li-SOCl2'],
  ['owner', { metadata: { owner: 'Lease Co' } }, 'Lease Co'],
  ['metadata', { metadata: { site_code: 'K12', antenna: { height: 3 } } }, 'site_code: K12\nantenna › height: 3'],
])('shows the %s of a device, and nothing if it has none', (detail, modem, expected) => {
  expect(detailText(detail, deviceWith(modem))).toBe(expected);
  expect(detailText(detail, deviceWith({}))).toBeUndefined();
});

test('takes only text and numbers from the metadata', () => {
  const metadata = { owner: { name: 'Lease Co' }, batteryType: '', rebootCounter: null, firmware: ['1'] };
  for (const id of ['owner', 'batteryType', 'rebootCounter', 'firmwareVersion'])
    expect(detailText(id, deviceWith({ metadata })), id).toBeUndefined();
});

test('warns about a required firmware', () => {
  const { level } = detailField('firmware');
  expect(level?.(deviceWith({ requiredDeviceFirmwareIdentifier: 'fw-2' }))).toBe('warning');
  expect(level?.(deviceWith({}))).toBe('none');
});

test('links a device to its well, site, and production area', () => {
  const tags = ['well', 'site', 'production_area', 'group'].map((type, index) => ({
    id: BigInt(index + 1),
    label: { type, name: `the ${type}` },
  }));
  const item = deviceWith({ tags, organization: 'north' });
  const labels = (id: string) => detailField(id).tags?.(item);
  expect(labels('well')).toEqual([{ id: '1', name: 'the well', organization: 'north' }]);
  expect(labels('site')).toMatchObject([{ id: '2' }]);
  expect(labels('area')).toMatchObject([{ id: '3' }]);
});

test('names the files of a device, and downloads each by its identifier', () => {
  const files = [{ identifier: 'f1', name: 'plate.jpg' }, { identifier: 'f2' }];
  const item = deviceWith({ files });
  expect(detailText('files', item)).toBe('plate.jpg, f2');
  const open = (name: string, file: string) => ({
    name,
    invocation: { id: 'device.download-file', args: { devices: { ids: ['AAAA 0001'] }, file } },
  });
  expect(detailField('files').opens?.(item)).toEqual([open('plate.jpg', 'f1'), open('f2', 'f2')]);
  expect(device.columns.map(({ id }) => id)).toEqual(expect.arrayContaining(['files', 'bodySize']));
});

test('downloads a required firmware by its name', () => {
  const { opens } = detailField('firmware');
  expect(opens?.(deviceWith({ requiredDeviceFirmwareIdentifier: 'fw-2' }))).toEqual([
    { name: 'fw-2', invocation: { id: 'device.download-firmware', args: { devices: { ids: ['AAAA 0001'] } } } },
  ]);
  expect(opens?.(deviceWith({}))).toEqual([]);
});

test('links a device to the gateway that relays its messages', () => {
  const { links } = detailField('gateway');
  const relayedDevice = deviceWith({ connectedDeviceInfo: { connectedToGateway: 'BBBB 0002' } });
  expect(links?.(relayedDevice)).toEqual([{ entity: 'device', id: 'BBBB 0002', name: 'BBBB 0002' }]);
  expect(links?.(deviceWith({}))).toEqual([]);
});

test.each<readonly [modem: MessageInitShape<typeof ModemSchema>, expected: string | undefined]>([
  [{ name: 'Avocet 7', deviceType: 'pressure-lora-2' }, 'AAAA 0001 · pressure-lora-2'],
  [{ name: 'Avocet 7' }, 'AAAA 0001'],
  [{ deviceType: 'pressure-lora-2' }, 'AAAA 0001 · pressure-lora-2'],
  [{}, undefined],
])('has a second line with its number and model, if they are known and not the label: %o', (modem, expected) => {
  const detail = device.detail?.(deviceWith(modem));
  expect(typeof detail === 'object' ? translate(detail) : detail).toBe(expected);
});
