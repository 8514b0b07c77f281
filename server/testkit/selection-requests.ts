/** Random selections for the test that compares them with the model of the contract. */
import fc from 'fast-check';

import { Health } from '#proto/gen/hiber/base_pb.ts';
import { Modem_Lifecycle, Modem_Type } from '#proto/gen/hiber/modem_pb.ts';

import type { DeviceInit, EventInit, ModemInit, TagInit, WebhookInit } from './selection-model.ts';
import {
  brands,
  deviceTypes,
  eventTypes,
  identifiers,
  levels,
  tagIds,
  tagNames,
  tagTypes,
  webhookIds,
} from './selection-world.ts';

/** Sets only one to three fields, each to a value that can match, so most selections match something. */
export function someFields<T extends Record<string, unknown>>(fields: {
  [K in keyof T]: fc.Arbitrary<T[K]>;
}): fc.Arbitrary<Partial<T>> {
  return fc
    .subarray(Object.keys(fields), { minLength: 1, maxLength: Math.min(3, Object.keys(fields).length) })
    .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, fields[key] as fc.Arbitrary<unknown>]))))
    .map((record) => record as Partial<T>);
}

export const upToTwo = <T>(values: readonly T[]): fc.Arbitrary<T[]> =>
  fc.subarray([...values], { maxLength: Math.min(2, values.length) });
export const includeExclude = <T>(values: readonly T[]) =>
  someFields({ include: upToTwo(values), exclude: upToTwo(values) });
const idFilter = (values: readonly number[]) => includeExclude(values.map(BigInt));

export const tagSelection: fc.Arbitrary<TagInit> = someFields({
  search: upToTwo(['north', '50%', 'e', 'Nothing']),
  names: upToTwo(tagNames),
  types: upToTwo(tagTypes),
  filter: idFilter([...tagIds, 99]),
  associatedWith: idFilter(tagIds),
});

const numbers = fc.subarray(
  [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `AAAA 000${digit}`),
  { maxLength: 4 },
);
/** Visible devices. Most filters name only these, because naming a hidden device is an error. */
const visibleNumbers = fc.subarray(['AAAA 0001', 'AAAA 0002', 'AAAA 0003', 'AAAA 0004', 'AAAA 0006', 'AAAA 0007'], {
  maxLength: 4,
});
export const deviceFilter = someFields({
  include: fc.oneof({ weight: 4, arbitrary: visibleNumbers }, { weight: 1, arbitrary: numbers }),
  exclude: numbers,
});
const gateways = someFields({
  include: fc.constantFrom<string[]>([], ['AAAA 0001'], ['AAAA 0001'], ['AAAA 0005']),
  exclude: fc.constantFrom<string[]>([], ['AAAA 0001'], ['AAAA 0005']),
});
const searchText = fc.constantFrom(
  'probe',
  'old north',
  'AAAA0002',
  'mac-1',
  'of globex',
  '50%',
  'acme',
  'spare',
  '  ',
);
const versions = fc.dictionary(
  fc.constantFrom('probe', 'antenna', 'gps'),
  fc.record({ value: upToTwo(['', '1', '2', '7']) }),
  { maxKeys: 2 },
);
export const range = fc
  .tuple(fc.option(fc.integer({ min: 4, max: 12 })), fc.option(fc.integer({ min: 0, max: 4 })))
  .map(([from, to]) => ({
    start: from === null ? undefined : { textual: world.hoursAgo(from).toISOString() },
    end: to === null ? undefined : { textual: world.hoursAgo(to).toISOString() },
  }));
const flag = fc.constant(true);
const lifecycles = [
  Modem_Lifecycle.INSTALLED,
  Modem_Lifecycle.PAUSED,
  Modem_Lifecycle.SPARE,
  Modem_Lifecycle.DEFECTIVE,
];
export const types = [Modem_Type.GATEWAY, Modem_Type.SENSOR, Modem_Type.VALVE];

export const modemSelection: fc.Arbitrary<ModemInit> = someFields({
  modems: deviceFilter,
  filterByTags: tagSelection,
  withLastMessageIn: range,
  freeTextSearch: searchText,
  lifecycles: upToTwo(lifecycles),
  transfers: fc.constant({ transfersIdentifiers: ['transfer-1'] }),
  connectedToGateways: gateways,
  includeTypes: upToTwo(types),
  excludeTypes: upToTwo(types),
  healthLevels: upToTwo(levels),
  peripheralSelection: fc.oneof(
    fc.record({
      case: fc.constant('peripherals' as const),
      value: someFields({ includeAnd: versions, exclude: versions }),
    }),
    fc.constant({ case: 'onlyWithoutPeripheral' as const, value: true }),
  ),
  deviceTypes: includeExclude(deviceTypes),
  sensorBrands: includeExclude(brands),
  identifiers: includeExclude(identifiers),
  onlyConnectedToGateway: flag,
  notConnectedToGateway: flag,
  onlyActive: flag,
  onlyGateways: flag,
  onlyHasExternalDeviceIds: flag,
  externalDeviceIds: upToTwo(identifiers),
});

export const deviceSelection: fc.Arbitrary<DeviceInit> = someFields({
  modems: deviceFilter,
  filterByTags: tagSelection,
  withLastMessageIn: range,
  freeTextSearch: searchText,
  lifecycles: includeExclude(lifecycles),
  withGateways: gateways,
  healthLevel: includeExclude(levels),
  peripherals: fc
    .oneof(
      fc.record({
        case: fc.constant('properties' as const),
        value: someFields({ includeAnd: versions, exclude: versions }),
      }),
      fc.constant({ case: 'includeOnlyEmpty' as const, value: true }),
    )
    .map((selection) => ({ selection })),
  deviceTypes: includeExclude(deviceTypes),
  sensorBrands: includeExclude(brands),
  identifiers: includeExclude(identifiers),
  excludeGateways: flag,
});

export const webhookSelection: fc.Arbitrary<WebhookInit> = someFields({
  description: fc.constantFrom('lake', '50%'),
  url: fc.constantFrom('hooks', 'lake', 'nothing'),
  webhooks: someFields({
    include: upToTwo(webhookIds.map(BigInt)),
    exclude: upToTwo(webhookIds.map(BigInt)),
    onlyActive: flag,
  }),
  tags: tagSelection,
  health: upToTwo([Health.OK, Health.ERROR, Health.WARNING]),
  search: fc.constantFrom('pager', 'lake north', '2', 'spare', 'well'),
});

export const eventSelection: fc.Arbitrary<EventInit> = someFields({
  events: includeExclude(eventTypes),
  modems: deviceFilter,
  publishers: someFields({
    include: upToTwo(webhookIds.map(BigInt)),
    exclude: upToTwo(webhookIds.map(BigInt)),
    onlyActive: flag,
  }),
  tags: idFilter(tagIds),
  timeRange: range,
  errorsOnly: flag,
  warningsOnly: flag,
  includeResolvedEvents: flag,
  healthLevels: upToTwo(levels),
});
