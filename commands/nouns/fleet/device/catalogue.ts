import { create, type MessageInitShape } from '@bufbuild/protobuf';

import {
  ListModemsRequest_Sort,
  type Modem_Lifecycle,
  ModemService,
  ModemSelectionSchema,
  type Modem,
} from '#proto/gen/hiber/modem_pb.ts';
import type { Context } from '#commands/model/context.ts';
import { matching } from '#commands/kit/filter-keys.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { ALL_LIFECYCLES } from './lifecycle.ts';

/** More kinds than this are no kinds. */
const MOST = 300;

interface Attribute {
  readonly key: string;
  readonly of: (modem: Modem) => string;
  readonly without: (values: string[]) => MessageInitShape<typeof ModemSelectionSchema>;
}

export const MODELS: Attribute = {
  key: 'device-model:counts',
  of: (modem) => modem.deviceType,
  without: (exclude) => ({ deviceTypes: { exclude } }),
};

export const BRANDS: Attribute = {
  key: 'device-brand:counts',
  // As the server selects: a gateway has a brand of its own.
  of: brandOf,
  without: (exclude) => ({ sensorBrands: { exclude } }),
};

export function brandOf(modem: Modem): string {
  return modem.connectedDeviceInfo?.sensorBrand || modem.gatewayInfo?.gatewayBrand || '';
}

/**
 * The values that an attribute has in this organization, with how many devices each has. The contract has no rpc for
 * that; asking for one device without the values already found, again and again, gives every value and (by the
 * shrinking total) its count.
 */
async function counts(
  attribute: Attribute,
  context: Context,
  lifecycles: readonly Modem_Lifecycle[] = [],
): Promise<readonly Suggestion[]> {
  const found: { readonly value: string; readonly count: number }[] = [];
  let last: { readonly value: string; readonly total: number } | undefined;
  while (found.length < MOST) {
    const seen = [...found.map(({ value }) => value), ...(last ? [last.value] : [])];
    const selection = create(ModemSelectionSchema, attribute.without(seen));
    selection.lifecycles = [...lifecycles];
    const { modems, pagination } = await context.api(ModemService).list(
      {
        organization: context.organization.id,
        selection,
        pagination: { size: 1 },
        sortBy: [ListModemsRequest_Sort.MODEM_NUMBER_ASC],
      },
      { signal: context.signal },
    );
    const total = pagination?.total ?? 0;
    if (last) found.push({ value: last.value, count: last.total - total });
    const next = modems[0] && attribute.of(modems[0]);
    // A value that comes back although it was excluded cannot be excluded, and would come back for ever.
    if (next === undefined || seen.includes(next)) break;
    last = { value: next, total };
  }
  return found
    .filter(({ value }) => value !== '')
    .toSorted((a, b) => b.count - a.count)
    .map(({ value, count }) => ({ value, label: value, count }));
}

/** Every value of an attribute, also those that only decommissioned devices have: what a filter may name. */
export function everyAttribute(attribute: Attribute): (context: Context) => Promise<readonly string[]> {
  return (context) =>
    context.cached(`${attribute.key}:every`, async (shared) => {
      const all = await counts(attribute, shared, ALL_LIFECYCLES);
      return all.map(({ value }) => value);
    });
}

export async function suggestAttribute(
  attribute: Attribute,
  context: Context,
  text: string,
): Promise<readonly Suggestion[]> {
  const all = await context.cached(attribute.key, (shared) => counts(attribute, shared));
  return matching(all, text, ({ value }) => value);
}
