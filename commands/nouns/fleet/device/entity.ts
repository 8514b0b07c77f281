import { create } from '@bufbuild/protobuf';

import { withLatestNumbers, type LatestNumbers } from '#commands/kit/latest-values.ts';
import { findExactMatches } from '#commands/kit/matching.ts';
import { loadOrganizationNames } from '#commands/kit/organization-names.ts';
import { listFindMany, remoteByIds, remoteList } from '#commands/kit/remote-list.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { healthLevels, levelOf } from '#commands/nouns/signals/health-level/entity.ts';
import { loadAllPages, type ListResponse } from '#commands/run/paging.ts';
import { message } from '#commands/text/message.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Filter_ChildOrganizationsSchema } from '#proto/gen/hiber/filter_pb.ts';
import {
  ListModemsRequest_Sort,
  Modem_Lifecycle,
  Modem_Type,
  ModemSchema,
  ModemSelectionSchema,
  ModemService,
  type Modem,
  type ModemSelection,
} from '#proto/gen/hiber/modem_pb.ts';

import { deviceAttributes } from './attributes.ts';
import { deviceFilter, LAST_ALIASES } from './filter.ts';
import {
  isNumber,
  organizationIdOf,
  toNumber,
  toSearch,
  type Device,
  type DeviceSelection,
  type TypeInfo,
} from './item.ts';
import { organizationOf } from './labels.ts';
import { ALL_LIFECYCLES, isSelectedByDefault, LIFECYCLES, loadStaffLifecycles } from './lifecycle.ts';
import { deviceInterval, selectDevices } from './value-owner.ts';

const Sort = ListModemsRequest_Sort;

/**
 * The sorts by name, each with its ascending and descending form in the contract. `last` is the time since the last
 * message, as in `last>2d`, so `-last` lists the devices that have been silent longest first.
 */
const sorts: Readonly<Record<string, readonly [ListModemsRequest_Sort, ListModemsRequest_Sort]>> = {
  name: [Sort.MODEM_NAME_ASC, Sort.MODEM_NAME_DESC],
  number: [Sort.MODEM_NUMBER_ASC, Sort.MODEM_NUMBER_DESC],
  last: [Sort.LAST_MESSAGE_RECEIVED, Sort.LAST_MESSAGE_RECEIVED_INVERTED],
  lifecycle: [Sort.STATUS_ASC, Sort.STATUS_DESC],
  'lifecycle-name': [Sort.STATUS_ASC_ALPHABETICAL, Sort.STATUS_DESC_ALPHABETICAL],
  health: [Sort.HEALTH, Sort.HEALTH_DESC],
  'health-name': [Sort.HEALTH_ASC_ALPHABETICAL, Sort.HEALTH_DESC_ALPHABETICAL],
  model: [Sort.DEVICE_TYPE_ASC, Sort.DEVICE_TYPE_DESC],
  brand: [Sort.SENSOR_BRAND_ASC, Sort.SENSOR_BRAND_DESC],
  organization: [Sort.ORGANIZATION_ASC, Sort.ORGANIZATION_DESC],
  'process-point': [Sort.PROCESS_POINT_ASC, Sort.PROCESS_POINT_DESC],
  well: [Sort.TAG_TYPE_WELL_ASC, Sort.TAG_TYPE_WELL_DESC],
  site: [Sort.TAG_TYPE_SITE_ASC, Sort.TAG_TYPE_SITE_DESC],
  area: [Sort.TAG_TYPE_PRODUCTION_AREA_ASC, Sort.TAG_TYPE_PRODUCTION_AREA_DESC],
};

function sortBy(names: readonly string[]): ListModemsRequest_Sort[] {
  return names.map((name) => (name.startsWith('-') ? sorts[name.slice(1)]![1] : sorts[name]![0]));
}

/** Lists devices, each with its position on the organization's health scale. */
function load(
  context: Context,
  { modems: selection, below, locations }: DeviceSelection,
  sort: readonly string[] = [],
) {
  return async (pagination: { page?: number; size?: number }): Promise<ListResponse<Device>> => {
    const request = {
      organization: context.organization.id,
      selection,
      pagination,
      sortBy: sortBy(sort),
      ...(below ? { childOrganizations: below } : {}),
      ...(locations ? { locationSelection: locations } : {}),
    };
    const [response, levels] = await Promise.all([
      context.api(ModemService).list(request, { signal: context.signal }),
      healthLevels(context),
    ]);
    const ids = response.modems.map(({ organization }) => organization);
    const organizations = await loadOrganizationNames(context, ids);
    const toDevice = (modem: Modem): Device => ({
      modem,
      level: levelOf(modem.healthLevel?.level, levels),
      organizations,
    });
    return { items: response.modems.map(toDevice), pagination: response.pagination };
  };
}

/** Selects exactly the given devices, in any lifecycle. */
export function selectNumbers(numbers: readonly string[]): ModemSelection {
  return create(ModemSelectionSchema, { modems: { include: [...numbers] }, lifecycles: ALL_LIFECYCLES });
}

/** The parts of a device that load after the rows. */
type DeferredDeviceValues = Pick<Device, 'latest' | 'typeInfo'>;

/** Frequent events, which update only their device's row. A full reload would reorder a list in use. */
const ROW_EVENTS: ReadonlySet<EventType> = new Set([
  EventType.MESSAGE_RECEIVED,
  EventType.ALARM_TRIGGERED,
  EventType.DEVICE_LOCATION_UPDATED,
]);

/** Selects the given devices in the organization and its sub-organizations, across which numbers are unique. */
function selectEverywhere(numbers: readonly string[]): DeviceSelection {
  return { modems: selectNumbers(numbers), below: create(Filter_ChildOrganizationsSchema, { includeAll: true }) };
}

function searchSelection(text: string): DeviceSelection {
  return { modems: create(ModemSelectionSchema, text ? { freeTextSearch: toSearch(text) } : {}) };
}

const loadByIds = remoteByIds(load, selectEverywhere);

/** Adds what the catalogue says about the types of devices. It loads at the same time as they do. */
async function addTypeInfo(context: Context, loading: Promise<readonly Device[]>): Promise<readonly Device[]> {
  const [devices, infos] = await Promise.all([loading, tryLoadTypeInfo(context)]);
  return devices.map((item) => ({ ...item, typeInfo: infos?.get(item.modem.deviceType) }));
}

/** Loads the catalogue with its code, which rows don't need. Devices can be shown and changed without it. */
async function tryLoadTypeInfo(context: Context): Promise<ReadonlyMap<string, TypeInfo> | undefined> {
  try {
    const { loadTypeInfo } = await import('./device-types.ts');
    return await loadTypeInfo(context);
  } catch (error) {
    if (!context.signal.aborted) context.host.report?.(error);
    return undefined;
  }
}

async function findDevices(context: Context, text: string): Promise<readonly Device[]> {
  if (isNumber(text)) return loadAllPages(load(context, selectEverywhere([toNumber(text)])));
  const candidates = await loadAllPages(load(context, searchSelection(text)));
  return findExactMatches(candidates, text, namesOf);
}

const namesOf = ({ modem }: Device): readonly string[] => [modem.name, ...modem.externalDeviceIds];

export const device: Entity<Device, DeviceSelection> = entity({
  name: 'device',
  plural: 'devices',
  requires: 'VIEW_DEVICES',
  screen: { path: '/devices', rail: { icon: 'radio-tower', group: 'fleet' }, key: 'g d' },
  views: [
    { id: 'all', filter: '' },
    { id: 'error', filter: 'health:ERROR sort:-last' },
    { id: 'silent', filter: 'last>2d sort:-last' },
    { id: 'maintenance', filter: 'lifecycle:PENDING_MAINTENANCE,PENDING_REPLACEMENT' },
    { id: 'gateways', filter: 'type:GATEWAY' },
  ],
  example: { name: 'Annulus A pressure, Avocet 1', filter: 'health:ERROR' },
  id: ({ modem }) => modem.number,
  label: ({ modem }) => modem.name || modem.number,
  shortLabel: ({ modem }) => modem.number,
  detail: ({ modem: { name, number, deviceType } }) => {
    if (deviceType) return message('device:detail', { number, model: deviceType });
    // Without a name, the number is the label.
    return name ? number : undefined;
  },
  level: ({ level }) => level,
  belongsTo: (item) => ({ id: organizationIdOf(item), name: organizationOf(item) ?? '' }),
  json: ({ modem, latest }, toJson) => {
    const json = toJson(ModemSchema, modem) as object;
    return latest ? { ...json, latestValues: latest.values.map((value) => toJson(latest.schema, value)) } : json;
  },
  isId: isNumber,
  opensFull: true,
  toId: toNumber,
  ...remoteList({ load, searchSelection, order: ['name'] }),
  staffOnly: async (context, { selection }) => {
    const staffOnlyLifecycles = (await loadStaffLifecycles(context)).filter(isSelectedByDefault);
    const selectedLifecycles = selection.modems.lifecycles;
    const hiddenLifecycles =
      selectedLifecycles.length === 0
        ? staffOnlyLifecycles
        : staffOnlyLifecycles.filter((lifecycle) => selectedLifecycles.includes(lifecycle));
    if (hiddenLifecycles.length === 0) return undefined;
    const { pagination } = await load(context, {
      ...selection,
      modems: { ...selection.modems, lifecycles: hiddenLifecycles },
    })({ size: 1 });
    const names = LIFECYCLES.filter((name) => hiddenLifecycles.includes(Modem_Lifecycle[name]));
    const term = `lifecycle:${names.join(',')}`;
    return pagination?.total ? { count: pagination.total, term } : undefined;
  },
  byIds: (context, ids) => addTypeInfo(context, loadByIds(context, ids)),
  find: (context, text) => addTypeInfo(context, findDevices(context, text)),
  findMany: listFindMany({
    load: (context, text) => load(context, searchSelection(text)),
    identifiers: [namesOf],
  }),
  emptySelection: () => ({ modems: create(ModemSelectionSchema) }),
  applySearch: ({ modems }, text) => {
    modems.freeTextSearch = text;
  },
  filter: deviceFilter,
  states: {
    untagged: { filter: '-tag:*' },
  },
  idKey: 'number',
  cappedMessage: message('device:capped'),
  changeCommands: ['device.import'],
  emptyHint: true,
  sorts: Object.keys(sorts),
  sortAliases: {
    ...Object.fromEntries(LAST_ALIASES.map((alias) => [alias, 'last'])),
    activity: '-last',
  },
  defaultSort: 'name',
  columns: withLatestNumbers(deviceAttributes.columns, 'last', {
    values: ({ latest }) => latest?.values,
    interval: deviceInterval,
  }),
  deferredValues: {
    load: async (context, items) => {
      const owners = items.map(({ modem: { number, organization } }) => ({ id: number, organization }));
      const [{ loadLatestNumbers }, { loadTypeInfo }] = await Promise.all([
        import('#commands/kit/load-latest.ts'),
        import('./device-types.ts'),
      ]);
      const [latest, infos] = await Promise.all([
        context.actor.abilities.has('VIEW_DEVICE_VALUES')
          ? loadLatestNumbers(context, owners, selectDevices)
          : new Map<string, LatestNumbers>(),
        loadTypeInfo(context),
      ]);
      return new Map(
        items.map(({ modem: { number, deviceType } }): [string, DeferredDeviceValues] => [
          number,
          { latest: latest.get(number), typeInfo: infos.get(deviceType) },
        ]),
      );
    },
    add: (item, values) => ({ ...item, ...(values as DeferredDeviceValues | undefined) }),
  },
  details: deviceAttributes.details,
  itemTabs: [
    {
      id: 'connectedDevices',
      entity: 'device',
      key: 'gateway',
      value: ({ modem }) => modem.number,
      appliesTo: ({ modem }) => modem.type === Modem_Type.GATEWAY,
      organization: organizationIdOf,
      columns: ['health', 'number', 'name', 'last'],
    },
  ],
  changedBy: [
    'DEVICE_CREATED',
    'DEVICE_UPDATED',
    'DEVICE_LOCATION_UPDATED',
    'DEVICE_INSTALLED',
    'MESSAGE_RECEIVED',
    'ALARM_TRIGGERED',
    'ASSIGNED',
    'UNASSIGNED',
    'TRANSFER',
  ],
  // The contract has no event for health levels, so our server sends this event when they change.
  references: { 'health-level': ['ORGANIZATION_EVENT_CONFIGURATION_UPDATED'] },
  changedItem: ({ type, device: { number } = {} }) => (ROW_EVENTS.has(type) ? number : undefined),
});

export { device as entity };
