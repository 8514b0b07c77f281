import { create, type MessageInitShape } from '@bufbuild/protobuf';

import { cachedLoader } from '#commands/kit/filter-keys.ts';
import type { Context } from '#commands/model/context.ts';
import { UnknownValueError } from '#commands/model/errors.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { loadAllPages } from '#commands/run/paging.ts';
import { message } from '#commands/text/message.ts';
import { nearestNames } from '#commands/text/near.ts';
import {
  ListModemsRequest_Sort,
  Modem_Type,
  ModemSelectionSchema,
  ModemService,
  type Modem,
} from '#proto/gen/hiber/modem_pb.ts';

import { isNumber, toNumber } from './item.ts';
import { ALL_LIFECYCLES } from './lifecycle.ts';

/** Maximum number of suggestions in an error. */
const MAX_CANDIDATES = 5;
/** Number of devices sampled for peripheral names. A fleet has few kinds of peripherals, so a sample is enough. */
const SAMPLE_SIZE = 1000;

/** Number of transfers to suggest. */
const MAX_TRANSFERS = 20;

type Selection = MessageInitShape<typeof ModemSelectionSchema>;

/** Lists devices of any lifecycle, sorted by number. */
async function listDevices(context: Context, selection: Selection, pagination: { size?: number; page?: number }) {
  const withAllLifecycles = create(ModemSelectionSchema, selection);
  withAllLifecycles.lifecycles = [...ALL_LIFECYCLES];
  const request = {
    organization: context.organization.id,
    selection: withAllLifecycles,
    pagination,
    sortBy: [ListModemsRequest_Sort.MODEM_NUMBER_ASC],
  };
  return context.api(ModemService).list(request, { signal: context.signal });
}

async function deviceExists(context: Context, key: string, selection: Selection): Promise<boolean> {
  return context.loadCached(`device-exists:${key}`, async (sharedContext) => {
    const { pagination } = await listDevices(sharedContext, selection, { size: 1 });
    return (pagination?.total ?? 0) > 0;
  });
}

const loadGateways = cachedLoader('device-gateways:all', (context: Context): Promise<readonly Modem[]> => {
  const selection = { includeTypes: [Modem_Type.GATEWAY] };
  return loadAllPages(async (pagination) => {
    const { modems: items, pagination: result } = await listDevices(context, selection, pagination);
    return { items, pagination: result };
  });
});

export async function findGatewayNumbers(context: Context): Promise<readonly string[]> {
  return (await loadGateways(context)).map(({ number }) => number);
}

/** Suggests gateways by number or name. */
export async function suggestGateways(context: Context, text: string): Promise<readonly Suggestion[]> {
  const query = text.trim().toLowerCase();
  return (await loadGateways(context))
    .filter(({ name, number }) => `${number} ${number.replace(' ', '')} ${name}`.toLowerCase().includes(query))
    .map(({ name, number }) => ({ value: number, label: number, detail: name }));
}

/**
 * Resolves a gateway's number or name to its number.
 *
 * @throws UnknownValueError with the nearest matches
 */
export async function findGatewayNumber(value: string, context: Context): Promise<string> {
  if (isNumber(value)) return toNumber(value);
  const knownGateways = await loadGateways(context);
  const findExactMatches = knownGateways.filter(({ name }) => name.toLowerCase() === value.toLowerCase());
  if (findExactMatches[0] && findExactMatches.length === 1) return findExactMatches[0].number;
  const compactValue = value.replace(/\s/g, '').toLowerCase();
  const prefixMatches = knownGateways.filter(({ number }) =>
    number.replace(' ', '').toLowerCase().startsWith(compactValue),
  );
  const similarNames = new Set(
    nearestNames(
      value,
      knownGateways.map(({ name }) => name),
    ),
  );
  const candidates = [
    ...findExactMatches,
    ...prefixMatches,
    ...knownGateways.filter(({ name }) => similarNames.has(name)),
  ].map(({ number }) => number);
  throw unknownValue('device:filter.unknownGateway', value, candidates);
}

/** Maximum number of devices suggested for a typed number or identifier. */
const MAX_SUGGESTIONS = 20;

async function searchDevices(context: Context, text: string): Promise<readonly Modem[]> {
  const search = text.trim();
  return (await listDevices(context, search ? { freeTextSearch: search } : {}, { size: MAX_SUGGESTIONS })).modems;
}

/** Suggests device numbers that match a number or a device name. */
export async function suggestNumbers(context: Context, text: string): Promise<readonly Suggestion[]> {
  const query = text.replace(/\s/g, '').toLowerCase();
  return (await searchDevices(context, text))
    .filter(({ name, number }) => `${number.replace(' ', '')}\n${name}`.toLowerCase().includes(query))
    .map(({ name, number }) => ({ value: number, label: number, count: 1, ...(name ? { detail: name } : {}) }));
}

/** Suggests external identifiers that contain the typed text. */
export async function suggestIdentifiers(context: Context, text: string): Promise<readonly Suggestion[]> {
  const query = text.trim().toLowerCase();
  return (await searchDevices(context, text)).flatMap(({ name, externalDeviceIds }) =>
    externalDeviceIds
      .filter((id) => id.toLowerCase().includes(query))
      .map((id) => ({ value: id, label: id, count: 1, ...(name ? { detail: name } : {}) })),
  );
}

/** Rejects an identifier that no device has. To search for part of an identifier, use a bare word. */
export async function requireIdentifier(value: string, context: Context): Promise<void> {
  if (await deviceExists(context, `identifier:${value}`, { identifiers: { include: [value] } })) return;
  const { modems } = await listDevices(context, { freeTextSearch: value }, { size: MAX_CANDIDATES });
  const candidates = modems.flatMap(({ externalDeviceIds }) =>
    externalDeviceIds.filter((id) => id.toLowerCase().includes(value.toLowerCase())),
  );
  throw unknownValue('device:filter.unknownIdentifier', value, candidates);
}

export function splitPeripheral(text: string): { readonly name: string; readonly version?: string } {
  const separator = text.indexOf('=');
  return separator < 0 ? { name: text } : { name: text.slice(0, separator), version: text.slice(separator + 1) };
}

/** Loads the peripherals of some devices, as values by name. */
const loadKnownPeripherals = cachedLoader(
  'device-peripherals:all',
  async (context: Context): Promise<ReadonlyMap<string, readonly string[]>> => {
    const { modems } = await listDevices(context, {}, { size: SAMPLE_SIZE });
    const pairs = modems.flatMap(({ peripherals }) => Object.entries(peripherals?.peripherals ?? {}));
    const names = [...new Set(pairs.map(([name]) => name))].toSorted();
    return new Map(
      names.map((name) => [
        name,
        [...new Set(pairs.flatMap((pair) => (pair[0] === name ? [pair[1]] : [])))].toSorted(),
      ]),
    );
  },
);

/** Suggests peripheral names or, after `name=`, the values of that peripheral. */
export async function suggestPeripherals(context: Context, text: string): Promise<readonly Suggestion[]> {
  const query = text.trim().toLowerCase();
  const knownPeripherals = await loadKnownPeripherals(context);
  const { name, version } = splitPeripheral(query);
  const choices =
    version === undefined
      ? [...knownPeripherals.keys()]
      : [...knownPeripherals].flatMap(([key, values]) =>
          key.toLowerCase() === name ? values.map((value) => `${key}=${value}`) : [],
        );
  return choices.filter((value) => value.toLowerCase().includes(query)).map((value) => ({ value, label: value }));
}

/** Rejects a peripheral, or a value of a peripheral, that no device has, because it is probably a typo. */
export async function requirePeripheral(text: string, context: Context): Promise<void> {
  const { name, version } = splitPeripheral(text);
  const selectValues = (value: readonly string[]): Selection => ({
    peripheralSelection: { case: 'peripherals', value: { includeAnd: { [name]: { value: [...value] } } } },
  });
  if (!(await deviceExists(context, `peripheral:${name}`, selectValues([])))) {
    const names = [...(await loadKnownPeripherals(context)).keys()];
    throw unknownValue('device:filter.unknownPeripheral', name, nearestNames(name, names));
  }
  if (version === undefined || (await deviceExists(context, `peripheral:${text}`, selectValues([version])))) return;
  const values = (await loadKnownPeripherals(context)).get(name) ?? [];
  const nearMatches = (values.length > MAX_CANDIDATES ? nearestNames(version, values) : values).map(
    (value) => `${name}=${value}`,
  );
  throw unknownValue('device:filter.unknownPeripheralValue', text, nearMatches);
}

/**
 * Creates the error for a value that no device has. `key` is the message without suggestions, and `<key>Near` the
 * message with suggestions.
 */
function unknownValue(key: string, value: string, candidates: readonly string[]): UnknownValueError {
  const nearMatches = [...new Set(candidates)].slice(0, MAX_CANDIDATES);
  const text =
    nearMatches.length > 0 ? message(`${key}Near`, { value, near: nearMatches.join(', ') }) : message(key, { value });
  return new UnknownValueError(text, value, nearMatches);
}

/** Suggests the newest transfers that the organization received and that the text finds. */
export async function suggestTransfers(context: Context, text: string): Promise<readonly Suggestion[]> {
  if (!context.actor.abilities.has('VIEW_TRANSFERS')) return [];
  const { TransferService } = await import('#proto/gen/hiber/transfer_pb.ts');
  const { transferHistory } = await context.api(TransferService).history(
    {
      organization: context.organization.id,
      selection: { receivedOnly: true, search: text.trim() },
      pagination: { size: MAX_TRANSFERS },
    },
    { signal: context.signal },
  );
  return transferHistory.map(({ identifier, senderOrganization, comment }) => ({
    value: identifier,
    label: [senderOrganization, comment].filter(Boolean).join(' · '),
    detail: identifier,
  }));
}
