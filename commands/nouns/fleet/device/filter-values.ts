import { create, type MessageInitShape } from '@bufbuild/protobuf';

import {
  ListModemsRequest_Sort,
  Modem_Type,
  ModemSelectionSchema,
  ModemService,
  type Modem,
} from '#proto/gen/hiber/modem_pb.ts';
import type { Context } from '#commands/model/context.ts';
import { UnknownValue } from '#commands/model/errors.ts';
import { reference } from '#commands/kit/filter-keys.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { message } from '#commands/text/message.ts';
import { allOf } from '#commands/run/paging.ts';
import { nearest } from '#commands/text/near.ts';
import { isNumber, toNumber } from './item.ts';
import { ALL_LIFECYCLES } from './lifecycle.ts';

/** Candidates that a refusal names. */
const CANDIDATES = 5;
/** Devices that names of peripherals are gathered from: enough to know them by, as fleets have few kinds. */
const SAMPLE = 1000;

type Selection = MessageInitShape<typeof ModemSelectionSchema>;

/** Devices of any lifecycle, by number. */
async function page(context: Context, selection: Selection, pagination: { size?: number; page?: number }) {
  const complete = create(ModemSelectionSchema, selection);
  complete.lifecycles = [...ALL_LIFECYCLES];
  const request = {
    organization: context.organization.id,
    selection: complete,
    pagination,
    sortBy: [ListModemsRequest_Sort.MODEM_NUMBER_ASC],
  };
  return context.api(ModemService).list(request, { signal: context.signal });
}

async function isThere(context: Context, key: string, selection: Selection): Promise<boolean> {
  return context.cached(`device-known:${key}`, async (shared) => {
    const { pagination } = await page(shared, selection, { size: 1 });
    return (pagination?.total ?? 0) > 0;
  });
}

const gateways = reference('device-gateways:all', (context: Context): Promise<readonly Modem[]> => {
  const selection = { includeTypes: [Modem_Type.GATEWAY] };
  return allOf(async (pagination) => {
    const { modems: items, pagination: result } = await page(context, selection, pagination);
    return { items, pagination: result };
  });
});

export async function gatewayNumbers(context: Context): Promise<readonly string[]> {
  return (await gateways(context)).map(({ number }) => number);
}

/** Gateways by number or name. */
export async function suggestGateways(context: Context, text: string): Promise<readonly Suggestion[]> {
  const wanted = text.trim().toLowerCase();
  return (await gateways(context))
    .filter(({ name, number }) => `${number} ${number.replace(' ', '')} ${name}`.toLowerCase().includes(wanted))
    .map(({ name, number }) => ({ value: number, label: number, detail: name }));
}

/** The number of a gateway by number or name. @throws UnknownValue with the nearest */
export async function gatewayNumber(value: string, context: Context): Promise<string> {
  if (isNumber(value)) return toNumber(value);
  const all = await gateways(context);
  const named = all.filter(({ name }) => name.toLowerCase() === value.toLowerCase());
  if (named[0] && named.length === 1) return named[0].number;
  const plain = value.replace(/\s/g, '').toLowerCase();
  const begun = all.filter(({ number }) => number.replace(' ', '').toLowerCase().startsWith(plain));
  const alike = new Set(
    nearest(
      value,
      all.map(({ name }) => name),
    ),
  );
  const near = [...named, ...begun, ...all.filter(({ name }) => alike.has(name))].map(({ number }) => number);
  throw refusal('device:filter.unknownGateway', value, near);
}

/** Devices offered while a number or an identifier is typed. */
const OFFERED = 20;

async function found(context: Context, text: string): Promise<readonly Modem[]> {
  const words = text.trim();
  return (await page(context, words ? { freeTextSearch: words } : {}, { size: OFFERED })).modems;
}

/** Numbers by themselves or by the name of the device. */
export async function suggestNumbers(context: Context, text: string): Promise<readonly Suggestion[]> {
  const wanted = text.replace(/\s/g, '').toLowerCase();
  return (await found(context, text))
    .filter(({ name, number }) => `${number.replace(' ', '')}\n${name}`.toLowerCase().includes(wanted))
    .map(({ name, number }) => ({ value: number, label: number, count: 1, ...(name ? { detail: name } : {}) }));
}

/** External identifiers that have what is typed in them. */
export async function suggestIdentifiers(context: Context, text: string): Promise<readonly Suggestion[]> {
  const wanted = text.trim().toLowerCase();
  return (await found(context, text)).flatMap(({ name, externalDeviceIds }) =>
    externalDeviceIds
      .filter((id) => id.toLowerCase().includes(wanted))
      .map((id) => ({ value: id, label: id, count: 1, ...(name ? { detail: name } : {}) })),
  );
}

/** An identifier is a whole one; part of one is searched for by a word. */
export async function requireIdentifier(value: string, context: Context): Promise<void> {
  if (await isThere(context, `identifier:${value}`, { identifiers: { include: [value] } })) return;
  const { modems } = await page(context, { freeTextSearch: value }, { size: CANDIDATES });
  const near = modems.flatMap(({ externalDeviceIds }) =>
    externalDeviceIds.filter((id) => id.toLowerCase().includes(value.toLowerCase())),
  );
  throw refusal('device:filter.unknownIdentifier', value, near);
}

export function splitPeripheral(text: string): { readonly name: string; readonly version?: string } {
  const at = text.indexOf('=');
  return at < 0 ? { name: text } : { name: text.slice(0, at), version: text.slice(at + 1) };
}

const peripheralNames = reference('device-peripherals:all', async (context: Context): Promise<readonly string[]> => {
  const { modems } = await page(context, {}, { size: SAMPLE });
  return [...new Set(modems.flatMap(({ peripherals }) => Object.keys(peripherals?.peripherals ?? {})))].toSorted();
});

export async function suggestPeripherals(context: Context, text: string): Promise<readonly Suggestion[]> {
  const wanted = text.trim().toLowerCase();
  const names = (await peripheralNames(context)).filter((name) => name.toLowerCase().includes(wanted));
  return names.map((value) => ({ value, label: value }));
}

/** A peripheral that no device has is misspelt. */
export async function requirePeripheral(text: string, context: Context): Promise<void> {
  const { name } = splitPeripheral(text);
  const selection: Selection = {
    peripheralSelection: { case: 'peripherals', value: { includeAnd: { [name]: { value: [] } } } },
  };
  if (await isThere(context, `peripheral:${name}`, selection)) return;
  throw refusal('device:filter.unknownPeripheral', text, nearest(name, await peripheralNames(context)));
}

/** Refuses a value that no device has; `key` has the sentence, and `<key>Near` the one with what was probably meant. */
function refusal(key: string, value: string, found: readonly string[]): UnknownValue {
  const near = [...new Set(found)].slice(0, CANDIDATES);
  const text = near.length > 0 ? message(`${key}Near`, { value, near: near.join(', ') }) : message(key, { value });
  return new UnknownValue(text, value, near);
}
