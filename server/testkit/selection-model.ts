/**
 * The contract's rules for selections, implemented on plain data (contract: Filter, MapFilter, TagSelection,
 * ModemSelection, DeviceSelection, EventSelection). Shares no code with the server that it checks.
 */
import type { MessageInitShape } from '@bufbuild/protobuf';

import { Health } from '#proto/gen/hiber/base_pb.ts';
import type { DeviceSelectionSchema } from '#proto/gen/hiber/device_pb.ts';
import type { EventSelectionSchema } from '#proto/gen/hiber/event_service_pb.ts';
import { Modem_Lifecycle, Modem_Type, type ModemSelectionSchema } from '#proto/gen/hiber/modem_pb.ts';
import type { TagSelectionSchema } from '#proto/gen/hiber/tag_pb.ts';
import type { WebhookSelectionSchema } from '#proto/gen/hiber/webhook_pb.ts';

import {
  HOME,
  type World,
  type WorldDevice,
  type WorldEvent,
  type WorldTag,
  type WorldWebhook,
} from './selection-world.ts';

export type TagInit = MessageInitShape<typeof TagSelectionSchema>;
export type ModemInit = MessageInitShape<typeof ModemSelectionSchema>;
export type DeviceInit = MessageInitShape<typeof DeviceSelectionSchema>;
export type WebhookInit = MessageInitShape<typeof WebhookSelectionSchema>;
export type EventInit = MessageInitShape<typeof EventSelectionSchema>;

interface IncludeExclude<T> {
  readonly include?: T[] | undefined;
  readonly exclude?: T[] | undefined;
}

const hiddenNumbers: number[] = [
  Modem_Lifecycle.ACCEPTANCE_TESTING,
  Modem_Lifecycle.DEFECTIVE,
  Modem_Lifecycle.DECOMMISSIONED,
  Modem_Lifecycle.DISABLED,
];

/** Customers don't see devices in hidden lifecycles. */
export const isVisible = ({ lifecycle }: WorldDevice): boolean => !hiddenNumbers.includes(lifecycle);

/**
 * Applies a filter: "An empty include keeps everything; exclude beats include; an item that lacks the property survives
 * an exclude."
 */
function passesFilter<T>(filter: IncludeExclude<T> | undefined, ...values: readonly T[]): boolean {
  const { include = [], exclude = [] } = filter ?? {};
  if (values.some((value) => exclude.includes(value))) return false;
  return include.length === 0 || values.some((value) => include.includes(value));
}

const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());
const isSet = (list: readonly unknown[] | undefined): boolean => (list?.length ?? 0) > 0;

/** True if the tag shares a visible device, or a webhook in the caller's organization, with one of the given tags. */
function isAssociated(world: World, { organization, id }: WorldTag, ids: readonly bigint[]): boolean {
  if (organization !== HOME) return false;
  const haveBoth = (tags: readonly WorldTag[]) =>
    tags.some((tag) => tag.id === id) && tags.some((tag) => tag.id !== id && ids.includes(BigInt(tag.id)));
  return (
    world.devices.some((device) => device.organization === HOME && isVisible(device) && haveBoth(device.tags)) ||
    world.webhooks.some((webhook) => webhook.organization === HOME && haveBoth(webhook.tags))
  );
}

const requiresTags = ({ search, names, types, filter, associatedWith }: TagInit): boolean =>
  [search, names, types, filter?.include, associatedWith?.include].some(isSet);

function matchesTag(world: World, tag: WorldTag, selection: TagInit): boolean {
  const { search = [], names = [], types = [], filter, associatedWith } = selection;
  return (
    (search.length === 0 || search.some((text) => contains(tag.name, text))) &&
    (names.length === 0 || names.includes(tag.name)) &&
    (types.length === 0 || types.includes(tag.type)) &&
    (!isSet(filter?.include) || (tag.organization === HOME && filter?.include?.includes(BigInt(tag.id)) === true)) &&
    (!isSet(associatedWith?.include) || isAssociated(world, tag, associatedWith?.include ?? [])) &&
    !isAssociated(world, tag, associatedWith?.exclude ?? [])
  );
}

const isExcluded = (tag: WorldTag, { filter }: TagInit): boolean =>
  tag.organization === HOME && filter?.exclude?.includes(BigInt(tag.id)) === true;

export const selectsTag = (world: World, tag: WorldTag, selection: TagInit): boolean =>
  matchesTag(world, tag, selection) && !isExcluded(tag, selection);

/** Matches tags: "Filtering devices by several tags means any of them." */
function matchesTags(world: World, tags: readonly WorldTag[], selection: TagInit | undefined): boolean {
  if (selection === undefined) return true;
  if (tags.some((tag) => isExcluded(tag, selection))) return false;
  if (tags.length === 0) return !requiresTags(selection);
  const isNarrowing = requiresTags(selection) || isSet(selection.associatedWith?.exclude);
  return !isNarrowing || tags.some((tag) => matchesTag(world, tag, selection));
}

type Properties = Record<string, { value?: string[] | undefined }>;

/**
 * Applies a MapFilter: every included name must match, and no excluded name may match. An empty list matches any value;
 * `''` matches none.
 */
function hasProperties(
  actual: Readonly<Record<string, string>>,
  filter: { includeAnd?: Properties | undefined; exclude?: Properties | undefined },
): boolean {
  const matches = ([name, { value = [] }]: [string, Properties[string]]) =>
    actual[name] !== undefined && (value.length === 0 || value.includes(actual[name]));
  return Object.entries(filter.includeAnd ?? {}).every(matches) && !Object.entries(filter.exclude ?? {}).some(matches);
}

/** True if every word occurs in the device or in the name of one of its tags. */
function matchesSearch(
  { name, number, externalIds, deviceType, sensorBrand, tags }: WorldDevice,
  search: string,
): boolean {
  const searchable = [name, number, number.replaceAll(' ', ''), ...externalIds, deviceType, sensorBrand].join(' ');
  const words = search.split(/\s+/).filter(Boolean);
  return words.every((word) => contains(searchable, word) || tags.some((tag) => contains(tag.name, word)));
}

function matchesLastMessage(
  { lastMessageReceivedAt: last }: WorldDevice,
  range: ModemInit['withLastMessageIn'],
): boolean {
  const bound = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  const [start, end] = [bound(range?.start?.textual), bound(range?.end?.textual)];
  if (start === undefined && end === undefined) return true;
  return last !== null && (start === undefined || last >= start) && (end === undefined || last <= end);
}

/** Returns the brand that the console shows, which for a gateway is its own. */
const brandOf = ({ sensorBrand, gatewayBrand }: WorldDevice): string => sensorBrand || (gatewayBrand ?? '');
const toList = <T>(value: T | null): T[] => (value === null ? [] : [value]);

/** True if a selection refers to a device that the caller can't see, which is an error. */
export const namesHiddenDevice = (
  devices: readonly WorldDevice[],
  ...filters: readonly (IncludeExclude<string> | undefined)[]
): boolean =>
  filters.some((filter) =>
    filter?.include?.some((number) => !devices.some((device) => device.number === number && isVisible(device))),
  );

export function selectsModem(world: World, device: WorldDevice, selection: ModemInit): boolean {
  const { peripheralSelection: peripherals } = selection;
  return (
    isVisible(device) &&
    passesFilter(selection.modems, device.number) &&
    passesFilter(selection.connectedToGateways, ...toList(device.gateway)) &&
    passesFilter(selection.identifiers, ...device.externalIds) &&
    passesFilter(selection.deviceTypes, device.deviceType) &&
    passesFilter(selection.sensorBrands, brandOf(device)) &&
    passesFilter({ include: selection.healthLevels }, device.healthLevel) &&
    passesFilter<number>({ include: selection.lifecycles }, device.lifecycle) &&
    passesFilter<number>({ include: selection.includeTypes, exclude: selection.excludeTypes }, device.type) &&
    matchesTags(world, device.tags, selection.filterByTags) &&
    matchesLastMessage(device, selection.withLastMessageIn) &&
    matchesSearch(device, selection.freeTextSearch ?? '') &&
    (!selection.onlyConnectedToGateway || device.gateway !== null) &&
    (!selection.notConnectedToGateway || device.gateway === null) &&
    !isSet(selection.transfers?.transfersIdentifiers) &&
    (peripherals?.case !== 'peripherals' || hasProperties(device.peripherals, peripherals.value)) &&
    (peripherals?.case !== 'onlyWithoutPeripheral' || Object.keys(device.peripherals).length === 0) &&
    (!selection.onlyActive || device.lifecycle === Modem_Lifecycle.INSTALLED) &&
    (!selection.onlyGateways || device.type === Modem_Type.GATEWAY) &&
    (!selection.onlyHasExternalDeviceIds || device.externalIds.length > 0) &&
    passesFilter({ include: selection.externalDeviceIds }, ...device.externalIds)
  );
}

export function selectsDevice(world: World, device: WorldDevice, selection: DeviceInit): boolean {
  const peripherals = selection.peripherals?.selection;
  return (
    isVisible(device) &&
    passesFilter(selection.modems, device.number) &&
    passesFilter(selection.withGateways, ...toList(device.gateway)) &&
    passesFilter(selection.identifiers, ...device.externalIds) &&
    passesFilter(selection.deviceTypes, device.deviceType) &&
    passesFilter(selection.sensorBrands, brandOf(device)) &&
    passesFilter(selection.healthLevel, device.healthLevel) &&
    passesFilter<number>(selection.lifecycles, device.lifecycle) &&
    matchesTags(world, device.tags, selection.filterByTags) &&
    matchesLastMessage(device, selection.withLastMessageIn) &&
    matchesSearch(device, selection.freeTextSearch ?? '') &&
    (!selection.excludeGateways || device.type !== Modem_Type.GATEWAY) &&
    (peripherals?.case !== 'properties' || hasProperties(device.peripherals, peripherals.value)) &&
    (peripherals?.case !== 'includeOnlyEmpty' || Object.keys(device.peripherals).length === 0)
  );
}

export function selectsWebhook(world: World, webhook: WorldWebhook, selection: WebhookInit): boolean {
  const words = (selection.search ?? '').split(/\s+/).filter(Boolean);
  const searchable = [webhook.description, webhook.url, ...webhook.tags.map((tag) => tag.name)];
  return (
    contains(webhook.description, selection.description ?? '') &&
    contains(webhook.url, selection.url ?? '') &&
    passesFilter(selection.webhooks, BigInt(webhook.id)) &&
    (!selection.webhooks?.onlyActive || !webhook.disabled) &&
    matchesTags(world, webhook.tags, selection.tags) &&
    passesFilter({ include: selection.health }, webhook.lastCallFailed ? Health.ERROR : Health.OK) &&
    words.every((word) => word === String(webhook.id) || searchable.some((text) => contains(text, word)))
  );
}

/** Ignores time and resolution, which are irrelevant for an event that just happened. */
export function selectsStreamedEvent(world: World, worldEvent: WorldEvent, selection: EventInit): boolean {
  const eventDevice = world.devices.find(
    (device) => device.organization === worldEvent.organization && device.number === worldEvent.number,
  );
  const active = world.webhooks
    .filter((webhook) => webhook.organization === HOME && !webhook.disabled)
    .map(({ id }) => id);
  const { publishers } = selection;
  return (
    (eventDevice === undefined || isVisible(eventDevice)) &&
    passesFilter<number>(selection.events, worldEvent.type) &&
    passesFilter(selection.modems, ...toList(worldEvent.number)) &&
    passesFilter(publishers, ...toList(worldEvent.publisher).map(BigInt)) &&
    (!publishers?.onlyActive || (worldEvent.publisher !== null && active.includes(worldEvent.publisher))) &&
    passesFilter(selection.tags, ...worldEvent.tags.map(BigInt)) &&
    passesFilter({ include: selection.healthLevels }, ...toList(worldEvent.healthLevel)) &&
    (!selection.errorsOnly || worldEvent.healthLevel === 'Alarm') &&
    (!selection.warningsOnly || worldEvent.healthLevel === 'Build up')
  );
}

export function selectsEvent(world: World, worldEvent: WorldEvent, selection: EventInit): boolean {
  const { start, end } = selection.timeRange ?? {};
  return (
    selectsStreamedEvent(world, worldEvent, selection) &&
    (selection.includeResolvedEvents === true || !worldEvent.resolved) &&
    (start?.textual === undefined || worldEvent.time >= new Date(start.textual)) &&
    (end?.textual === undefined || worldEvent.time <= new Date(end.textual))
  );
}
