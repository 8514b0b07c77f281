import { create, type MessageInitShape } from '@bufbuild/protobuf';

import { findMatches } from '#commands/kit/matching.ts';
import type { Context } from '#commands/model/context.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import {
  ListModemsRequest_Sort,
  type Modem_Lifecycle,
  ModemService,
  ModemSelectionSchema,
  type Modem,
} from '#proto/gen/hiber/modem_pb.ts';

import { brandOf } from './item.ts';
import { ALL_LIFECYCLES } from './lifecycle.ts';

/** Maximum number of values to collect. There are far fewer models and brands. */
const MAX_VALUES = 300;

interface Attribute {
  readonly key: string;
  readonly value: (modem: Modem) => string;
  readonly exclude: (values: string[]) => MessageInitShape<typeof ModemSelectionSchema>;
}

const ATTRIBUTES = {
  models: {
    key: 'device-model:counts',
    value: (modem) => modem.deviceType,
    exclude: (exclude) => ({ deviceTypes: { exclude } }),
  },
  brands: {
    key: 'device-brand:counts',
    // Include gateways, as the server's filter does.
    value: brandOf,
    exclude: (exclude) => ({ sensorBrands: { exclude } }),
  },
} satisfies Readonly<Record<string, Attribute>>;

type AttributeName = keyof typeof ATTRIBUTES;

/**
 * Returns an attribute's values in this organization, with the number of devices per value. The contract has no
 * rpc for this. Each request asks for one device and excludes the values found so far. The returned device has a new
 * value, and the total drops by the number of devices that have the previous value.
 */
async function countValues(
  attribute: Attribute,
  context: Context,
  lifecycles: readonly Modem_Lifecycle[] = [],
): Promise<readonly Suggestion[]> {
  const counts: { readonly value: string; readonly count: number }[] = [];
  let previous: { readonly value: string; readonly total: number } | undefined;
  while (counts.length < MAX_VALUES) {
    const excludedValues = [...counts.map(({ value }) => value), ...(previous ? [previous.value] : [])];
    const selection = create(ModemSelectionSchema, attribute.exclude(excludedValues));
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
    if (previous) counts.push({ value: previous.value, count: previous.total - total });
    const next = modems[0] && attribute.value(modems[0]);
    // If the server ignored the exclusion, it would return this value forever.
    if (next === undefined || excludedValues.includes(next)) break;
    previous = { value: next, total };
  }
  return counts
    .filter(({ value }) => value !== '')
    .toSorted((a, b) => b.count - a.count)
    .map(({ value, count }) => ({ value, label: value, count }));
}

/** Returns the valid values of a filter: every value in use, even if only on decommissioned devices. */
export function loadAttributeValues(name: AttributeName, context: Context): Promise<readonly string[]> {
  const attribute = ATTRIBUTES[name];
  return context.loadCached(`${attribute.key}:every`, async (sharedContext) => {
    const counts = await countValues(attribute, sharedContext, ALL_LIFECYCLES);
    return counts.map(({ value }) => value);
  });
}

/** Suggests values in use that contain the text, most used first. */
export async function suggestAttribute(
  name: AttributeName,
  context: Context,
  text: string,
): Promise<readonly Suggestion[]> {
  const attribute = ATTRIBUTES[name];
  const counts = await context.loadCached(attribute.key, (sharedContext) => countValues(attribute, sharedContext));
  return findMatches(counts, text, ({ value }) => value);
}
