import { cachedLoader } from '#commands/kit/filter-keys.ts';
import { findMatches } from '#commands/kit/matching.ts';
import type { Context } from '#commands/model/context.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { loadAllPages } from '#commands/run/paging.ts';
import { DeviceTypeService, type DeviceType } from '#proto/gen/hiber/device_type_pb.ts';

import type { TypeInfo } from './item.ts';

export type TypeAttribute = keyof TypeInfo;

/** Loads the catalogue of device types, which only a new release of the server changes. */
const loadDeviceTypes = cachedLoader('device-type:all', (context: Context): Promise<readonly DeviceType[]> =>
  loadAllPages(async (pagination) => {
    const request = { organization: context.organization.id, pagination };
    const response = await context.api(DeviceTypeService).list(request, { signal: context.signal });
    return { items: response.deviceTypes, pagination: response.pagination };
  }),
);

/** Returns what the catalogue says about the types of devices, by identifier. */
export async function loadTypeInfo(context: Context): Promise<ReadonlyMap<string, TypeInfo>> {
  const types = await loadDeviceTypes(context);
  return new Map(types.map((type) => [type.identifier, type]));
}

/** Returns an attribute's values in the catalogue, in natural order. */
export async function loadTypeValues(attribute: TypeAttribute, context: Context): Promise<readonly string[]> {
  const values = new Set((await loadDeviceTypes(context)).map((type) => type[attribute]));
  values.delete('');
  return [...values].toSorted(new Intl.Collator('en', { numeric: true }).compare);
}

export async function suggestTypeValues(
  attribute: TypeAttribute,
  context: Context,
  text: string,
): Promise<readonly Suggestion[]> {
  const matches = await findMatches(await loadTypeValues(attribute, context), text, (value) => value);
  return matches.map((value) => ({ value, label: value }));
}

/** Returns the identifiers of the device types that have any of the values. */
export async function findTypes(
  attribute: TypeAttribute,
  values: readonly string[],
  context: Context,
): Promise<readonly string[]> {
  const types = await loadDeviceTypes(context);
  return types.filter((type) => values.includes(type[attribute])).map(({ identifier }) => identifier);
}
