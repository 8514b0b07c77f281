import type { Context } from '#commands/model/context.ts';
import type { ValueOwners } from '#commands/model/values.ts';
import { loadAllPages } from '#commands/run/paging.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { Value_Type } from '#proto/gen/hiber/value_pb.ts';
import { ValueContextSchema, ValueService } from '#proto/gen/hiber/value_service_pb.ts';

import type { LatestNumbers } from './latest-values.ts';
import { groupOwners } from './value-rows.ts';

interface Owner {
  readonly id: string;
  readonly organization: string;
}

/**
 * Loads the newest value of each numeric type, keyed by the id of its owner. Queries each organization separately.
 * `select` builds a request's owner selection from ids.
 */
export async function loadLatestNumbers(
  context: Context,
  owners: readonly Owner[],
  select: (ids: readonly string[]) => ValueOwners,
): Promise<ReadonlyMap<string, LatestNumbers>> {
  const groups = groupOwners(owners, select).map(({ organization, owners: ownerSelection }) =>
    loadAllPages(async (pagination) => {
      const dataSelection = { case: 'valueType' as const, value: { valueType: [Value_Type.NUMERIC] } };
      // Process points have no operational values, such as the battery level.
      const includeOperationalData = ownerSelection.case === 'devices';
      const selection = { ownerSelection, dataSelection, includeOperationalData };
      const request = { organization, selection, pagination };
      const response = await context.api(ValueService).latest(request, { signal: context.signal });
      return { items: response.values, pagination: response.pagination };
    }),
  );
  const byOwner = groupBy((await Promise.all(groups)).flat(), ({ processPoint, device }) =>
    processPoint ? processPoint.identifier : (device?.number ?? ''),
  );
  return new Map([...byOwner].map(([id, values]) => [id, { values, schema: ValueContextSchema }]));
}
