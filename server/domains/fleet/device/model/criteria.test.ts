import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { describe, expect, test } from 'vitest';

import { DeviceSelectionSchema } from '#proto/gen/hiber/device_pb.ts';
import { Modem_Lifecycle, Modem_Type, ModemSelectionSchema } from '#proto/gen/hiber/modem_pb.ts';

import { readDeviceCriteria, type DeviceCriteria, selectsEverything, readModemCriteria } from './criteria.ts';
import { deviceNumber } from './number.ts';

const now = new Date('2026-11-20T12:00:00Z');
type ModemInit = MessageInitShape<typeof ModemSelectionSchema>;
type DeviceInit = MessageInitShape<typeof DeviceSelectionSchema>;
const fromModemSelection = (selection?: ModemInit) =>
  readModemCriteria(selection && create(ModemSelectionSchema, selection), now);
const fromDeviceSelection = (selection?: DeviceInit) =>
  readDeviceCriteria(selection && create(DeviceSelectionSchema, selection), now);

const noFilter = { include: [], exclude: [] };
const everything: DeviceCriteria = {
  search: '',
  numbers: noFilter,
  gateways: noFilter,
  identifiers: noFilter,
  healthLevels: noFilter,
  lifecycles: noFilter,
  types: noFilter,
  deviceTypes: noFilter,
  sensorBrands: noFilter,
  tags: undefined,
  onlyActive: false,
  onlyGateways: false,
  onlyWithExternalId: false,
  externalIds: [],
  lastMessage: { start: undefined, end: undefined },
  peripherals: undefined,
  onlyWithoutPeripherals: false,
  onlyConnected: false,
  onlyUnconnected: false,
  transfers: [],
};
const numbers = { include: ['aaaa0001'], exclude: [' AAAA 0002'] };
const canonicalNumbers = { include: ['AAAA 0001'], exclude: ['AAAA 0002'] };
const filter = { include: ['in'], exclude: ['out'] };
const withLastMessageIn = { start: { textual: '2026-11-19T12:00:00Z' }, end: { textual: '2026-11-20T06:00:00Z' } };
const lastMessage = { start: new Date('2026-11-19T12:00:00Z'), end: new Date('2026-11-20T06:00:00Z') };
const properties = { includeAnd: { probe: { value: ['1'] } }, exclude: {} };
const { INSTALLED, PAUSED } = Modem_Lifecycle;
const { GATEWAY, SENSOR } = Modem_Type;

/** Selections with a single field set, and the resulting criteria. */
const modemFields: [ModemInit, Partial<DeviceCriteria>][] = [
  [{ freeTextSearch: ' well 7 ' }, { search: 'well 7' }],
  [{ modems: numbers }, { numbers: canonicalNumbers }],
  [{ connectedToGateways: numbers }, { gateways: canonicalNumbers }],
  [{ identifiers: filter }, { identifiers: filter }],
  [{ healthLevels: ['Alarm'] }, { healthLevels: { include: ['Alarm'], exclude: [] } }],
  [{ lifecycles: [PAUSED] }, { lifecycles: { include: [PAUSED], exclude: [] } }],
  [{ includeTypes: [SENSOR], excludeTypes: [GATEWAY] }, { types: { include: [SENSOR], exclude: [GATEWAY] } }],
  [{ deviceTypes: filter }, { deviceTypes: filter }],
  [{ sensorBrands: filter }, { sensorBrands: filter }],
  [{ onlyActive: true }, { onlyActive: true }],
  [{ onlyGateways: true }, { onlyGateways: true }],
  [{ onlyHasExternalDeviceIds: true }, { onlyWithExternalId: true }],
  [{ externalDeviceIds: ['mac-1'] }, { externalIds: ['mac-1'] }],
  [{ withLastMessageIn }, { lastMessage }],
  [{ peripheralSelection: { case: 'onlyWithoutPeripheral', value: true } }, { onlyWithoutPeripherals: true }],
  [{ onlyConnectedToGateway: true }, { onlyConnected: true }],
  [{ notConnectedToGateway: true }, { onlyUnconnected: true }],
  [{ transfers: { transfersIdentifiers: ['t'] } }, { transfers: ['t'] }],
];
const deviceFields: [DeviceInit, Partial<DeviceCriteria>][] = [
  [{ freeTextSearch: ' well 7 ' }, { search: 'well 7' }],
  [{ modems: numbers }, { numbers: canonicalNumbers }],
  [{ withGateways: numbers }, { gateways: canonicalNumbers }],
  [{ identifiers: filter }, { identifiers: filter }],
  [{ healthLevel: filter }, { healthLevels: filter }],
  [
    { lifecycles: { include: [PAUSED], exclude: [INSTALLED] } },
    { lifecycles: { include: [PAUSED], exclude: [INSTALLED] } },
  ],
  [{ excludeGateways: true }, { types: { include: [], exclude: [GATEWAY] } }],
  [{ deviceTypes: filter }, { deviceTypes: filter }],
  [{ sensorBrands: filter }, { sensorBrands: filter }],
  [{ withLastMessageIn }, { lastMessage }],
  [{ peripherals: { selection: { case: 'includeOnlyEmpty', value: true } } }, { onlyWithoutPeripherals: true }],
];

test.each([
  ['no selection', undefined],
  ['an empty selection', {}],
  ['a selection of empty filters', { modems: {}, identifiers: {}, freeTextSearch: '  ' }],
])('%s selects every device', (_, selection) => {
  expect(fromModemSelection(selection)).toStrictEqual(everything);
  expect(fromDeviceSelection(selection)).toStrictEqual(everything);
});

test.each(modemFields)('reads the modem selection %j', (selection, expected) => {
  expect(fromModemSelection(selection)).toStrictEqual({ ...everything, ...expected });
});

test.each(deviceFields)('reads the device selection %j', (selection, expected) => {
  expect(fromDeviceSelection(selection)).toStrictEqual({ ...everything, ...expected });
});

test('passes tags and peripherals through unchanged', () => {
  const filterByTags = { names: ['North'] };
  for (const { tags, ...otherCriteria } of [
    fromModemSelection({ filterByTags }),
    fromDeviceSelection({ filterByTags }),
  ]) {
    expect({ ...otherCriteria, tags: undefined }).toStrictEqual(everything);
    expect(tags).toMatchObject(filterByTags);
  }
  for (const { peripherals, ...otherCriteria } of [
    fromModemSelection({ peripheralSelection: { case: 'peripherals', value: properties } }),
    fromDeviceSelection({ peripherals: { selection: { case: 'properties', value: properties } } }),
  ]) {
    expect({ ...otherCriteria, peripherals: undefined }).toStrictEqual(everything);
    expect(peripherals).toMatchObject(properties);
  }
  const unsetCriteria = [
    fromModemSelection({ peripheralSelection: { case: 'onlyWithoutPeripheral', value: false } }),
    fromDeviceSelection({ peripherals: { selection: { case: 'includeOnlyEmpty', value: false } } }),
  ];
  expect(unsetCriteria).toStrictEqual([everything, everything]);
});

test.each([{ start: { textual: 'now' } }, { end: { textual: 'now' } }])(
  'rejects %j as an activation range',
  (range) => {
    expect(() => fromModemSelection({ activatedIn: range })).toThrow(
      expect.objectContaining({ code: Code.InvalidArgument, rawMessage: expect.stringContaining('activated_in') }),
    );
    expect(fromModemSelection({ activatedIn: {} })).toStrictEqual(everything);
  },
);

describe('a selection', () => {
  const narrowCriteria: [string, DeviceCriteria][] = [
    ...modemFields.map(([selection]): [string, DeviceCriteria] => [
      JSON.stringify(selection),
      fromModemSelection(selection),
    ]),
    ...deviceFields.map(([selection]): [string, DeviceCriteria] => [
      JSON.stringify(selection),
      fromDeviceSelection(selection),
    ]),
    ['an exclude', fromModemSelection({ identifiers: { exclude: ['out'] } })],
    ['an end time', fromModemSelection({ withLastMessageIn: { end: { textual: 'now' } } })],
    ['a tag', fromModemSelection({ filterByTags: { names: ['North'] } })],
    ['an excluded tag', fromModemSelection({ filterByTags: { filter: { exclude: [1n] } } })],
    ['a tag location', fromModemSelection({ filterByTags: { location: { areas: [{ textual: '[[1,1],[0,0]]' }] } } })],
    [
      'a peripheral',
      fromModemSelection({ peripheralSelection: { case: 'peripherals', value: { exclude: { probe: {} } } } }),
    ],
  ];

  test.each(narrowCriteria)('is narrowed by %s', (_, criteria) => {
    expect(selectsEverything(criteria)).toBe(false);
  });

  test.each([
    ['default criteria', everything],
    ['empty tag filters', fromModemSelection({ filterByTags: { filter: {}, location: {}, associatedWith: {} } })],
    ['an empty peripheral filter', fromModemSelection({ peripheralSelection: { case: 'peripherals', value: {} } })],
  ])('is not narrowed by %s', (_, criteria) => {
    expect(selectsEverything(criteria)).toBe(true);
  });
});

test.each(['24f091c7', ' 24F0 91C7 ', '24 f0 91 c7'])('%j is a device number', (text) => {
  expect(deviceNumber(text)).toBe('24F0 91C7');
});

test.each(['24F0 91C', '24F0 91C7 0', '24F0 91CG', ''])('%j is not a device number', (text) => {
  expect(() => deviceNumber(text)).toThrow(expect.objectContaining({ code: Code.InvalidArgument }));
});
