import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { describe, expect, test } from 'vitest';
import { DeviceSelectionSchema } from '#proto/gen/hiber/device_pb.ts';
import { Modem_Lifecycle, Modem_Type, ModemSelectionSchema } from '#proto/gen/hiber/modem_pb.ts';
import { deviceCriteria, type DeviceCriteria, isEmpty, modemCriteria } from './criteria.ts';
import { deviceNumber } from './number.ts';

const now = new Date('2026-11-20T12:00:00Z');
type ModemInit = MessageInitShape<typeof ModemSelectionSchema>;
type DeviceInit = MessageInitShape<typeof DeviceSelectionSchema>;
const ofModems = (selection?: ModemInit) => modemCriteria(selection && create(ModemSelectionSchema, selection), now);
const ofDevices = (selection?: DeviceInit) =>
  deviceCriteria(selection && create(DeviceSelectionSchema, selection), now);

const none = { include: [], exclude: [] };
const everything: DeviceCriteria = {
  search: '',
  numbers: none,
  gateways: none,
  identifiers: none,
  healthLevels: none,
  lifecycles: none,
  types: none,
  deviceTypes: none,
  sensorBrands: none,
  tags: undefined,
  onlyActive: false,
  onlyGateways: false,
  onlyIdentified: false,
  externalIds: [],
  lastMessage: { start: undefined, end: undefined },
  peripherals: undefined,
  onlyWithoutPeripherals: false,
  onlyConnected: false,
  onlyUnconnected: false,
  transfers: [],
};
const numbers = { include: ['aaaa0001'], exclude: [' AAAA 0002'] };
const stored = { include: ['AAAA 0001'], exclude: ['AAAA 0002'] };
const texts = { include: ['in'], exclude: ['out'] };
const withLastMessageIn = { start: { textual: '2026-11-19T12:00:00Z' }, end: { textual: '2026-11-20T06:00:00Z' } };
const lastMessage = { start: new Date('2026-11-19T12:00:00Z'), end: new Date('2026-11-20T06:00:00Z') };
const properties = { includeAnd: { probe: { value: ['1'] } }, exclude: {} };
const { INSTALLED, PAUSED } = Modem_Lifecycle;
const { GATEWAY, SENSOR } = Modem_Type;

/** One field each, and what it asks for. */
const modemFields: [ModemInit, Partial<DeviceCriteria>][] = [
  [{ freeTextSearch: ' well 7 ' }, { search: 'well 7' }],
  [{ modems: numbers }, { numbers: stored }],
  [{ connectedToGateways: numbers }, { gateways: stored }],
  [{ identifiers: texts }, { identifiers: texts }],
  [{ healthLevels: ['Alarm'] }, { healthLevels: { include: ['Alarm'], exclude: [] } }],
  [{ lifecycles: [PAUSED] }, { lifecycles: { include: [PAUSED], exclude: [] } }],
  [{ includeTypes: [SENSOR], excludeTypes: [GATEWAY] }, { types: { include: [SENSOR], exclude: [GATEWAY] } }],
  [{ deviceTypes: texts }, { deviceTypes: texts }],
  [{ sensorBrands: texts }, { sensorBrands: texts }],
  [{ onlyActive: true }, { onlyActive: true }],
  [{ onlyGateways: true }, { onlyGateways: true }],
  [{ onlyHasExternalDeviceIds: true }, { onlyIdentified: true }],
  [{ externalDeviceIds: ['mac-1'] }, { externalIds: ['mac-1'] }],
  [{ withLastMessageIn }, { lastMessage }],
  [{ peripheralSelection: { case: 'onlyWithoutPeripheral', value: true } }, { onlyWithoutPeripherals: true }],
  [{ onlyConnectedToGateway: true }, { onlyConnected: true }],
  [{ notConnectedToGateway: true }, { onlyUnconnected: true }],
  [{ transfers: { transfersIdentifiers: ['t'] } }, { transfers: ['t'] }],
];
const deviceFields: [DeviceInit, Partial<DeviceCriteria>][] = [
  [{ freeTextSearch: ' well 7 ' }, { search: 'well 7' }],
  [{ modems: numbers }, { numbers: stored }],
  [{ withGateways: numbers }, { gateways: stored }],
  [{ identifiers: texts }, { identifiers: texts }],
  [{ healthLevel: texts }, { healthLevels: texts }],
  [
    { lifecycles: { include: [PAUSED], exclude: [INSTALLED] } },
    { lifecycles: { include: [PAUSED], exclude: [INSTALLED] } },
  ],
  [{ excludeGateways: true }, { types: { include: [], exclude: [GATEWAY] } }],
  [{ deviceTypes: texts }, { deviceTypes: texts }],
  [{ sensorBrands: texts }, { sensorBrands: texts }],
  [{ withLastMessageIn }, { lastMessage }],
  [{ peripherals: { selection: { case: 'includeOnlyEmpty', value: true } } }, { onlyWithoutPeripherals: true }],
];

test.each([
  ['nothing', undefined],
  ['an empty selection', {}],
  ['filters without anything in them', { modems: {}, identifiers: {}, freeTextSearch: '  ' }],
])('%s asks for every device', (_, selection) => {
  expect(ofModems(selection)).toStrictEqual(everything);
  expect(ofDevices(selection)).toStrictEqual(everything);
});

test.each(modemFields)('a selection of modems, %j', (selection, asked) => {
  expect(ofModems(selection)).toStrictEqual({ ...everything, ...asked });
});

test.each(deviceFields)('a selection of devices, %j', (selection, asked) => {
  expect(ofDevices(selection)).toStrictEqual({ ...everything, ...asked });
});

test('tags and peripherals are taken as they are', () => {
  const filterByTags = { names: ['North'] };
  for (const { tags, ...rest } of [ofModems({ filterByTags }), ofDevices({ filterByTags })]) {
    expect({ ...rest, tags: undefined }).toStrictEqual(everything);
    expect(tags).toMatchObject(filterByTags);
  }
  for (const { peripherals, ...rest } of [
    ofModems({ peripheralSelection: { case: 'peripherals', value: properties } }),
    ofDevices({ peripherals: { selection: { case: 'properties', value: properties } } }),
  ]) {
    expect({ ...rest, peripherals: undefined }).toStrictEqual(everything);
    expect(peripherals).toMatchObject(properties);
  }
  const off = [
    ofModems({ peripheralSelection: { case: 'onlyWithoutPeripheral', value: false } }),
    ofDevices({ peripherals: { selection: { case: 'includeOnlyEmpty', value: false } } }),
  ];
  expect(off).toStrictEqual([everything, everything]);
});

test.each([{ start: { textual: 'now' } }, { end: { textual: 'now' } }])('%j of an activation is refused', (range) => {
  expect(() => ofModems({ activatedIn: range })).toThrow(
    expect.objectContaining({ code: Code.InvalidArgument, rawMessage: expect.stringContaining('activated_in') }),
  );
  expect(ofModems({ activatedIn: {} })).toStrictEqual(everything);
});

describe('whether a selection narrows', () => {
  const narrowing: [string, DeviceCriteria][] = [
    ...modemFields.map(([selection]): [string, DeviceCriteria] => [JSON.stringify(selection), ofModems(selection)]),
    ...deviceFields.map(([selection]): [string, DeviceCriteria] => [JSON.stringify(selection), ofDevices(selection)]),
    ['what it leaves out', ofModems({ identifiers: { exclude: ['out'] } })],
    ['an end', ofModems({ withLastMessageIn: { end: { textual: 'now' } } })],
    ['a tag', ofModems({ filterByTags: { names: ['North'] } })],
    ['a tag left out', ofModems({ filterByTags: { filter: { exclude: [1n] } } })],
    ['a place of tags', ofModems({ filterByTags: { location: { areas: [{ textual: '[[1,1],[0,0]]' }] } } })],
    ['a peripheral', ofModems({ peripheralSelection: { case: 'peripherals', value: { exclude: { probe: {} } } } })],
  ];

  test.each(narrowing)('it does by %s', (_, criteria) => {
    expect(isEmpty(criteria)).toBe(false);
  });

  test.each([
    ['anything', everything],
    ['parts that are empty', ofModems({ filterByTags: { filter: {}, location: {}, associatedWith: {} } })],
    ['peripherals that name none', ofModems({ peripheralSelection: { case: 'peripherals', value: {} } })],
  ])('it does not by %s', (_, criteria) => {
    expect(isEmpty(criteria)).toBe(true);
  });
});

test.each(['24f091c7', ' 24F0 91C7 ', '24 f0 91 c7'])('%j is the number of a device', (text) => {
  expect(deviceNumber(text)).toBe('24F0 91C7');
});

test.each(['24F0 91C', '24F0 91C7 0', '24F0 91CG', ''])('%j is not', (text) => {
  expect(() => deviceNumber(text)).toThrow(expect.objectContaining({ code: Code.InvalidArgument }));
});
