import type { Context } from '#commands/model/context.ts';
import { enumName } from '#commands/model/wire.ts';
import { countMatching } from '#commands/run/outline.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';

import { device } from './entity.ts';
import { isSelectedByDefault, loadVisibleLifecycles } from './lifecycle.ts';

/**
 * Counts the devices that match a filter, by lifecycle. Undefined if the counts do not add up to the filter's total.
 */
export async function countLifecycles(
  context: Context,
  query: string,
): Promise<ReadonlyMap<string, number> | undefined> {
  const lifecycles = await loadVisibleLifecycles(context);
  const [total, counts] = await Promise.all([
    countMatching(device, query, '', context),
    Promise.all(
      lifecycles.map(async (lifecycle) => {
        const name = enumName(Modem_Lifecycle, lifecycle) ?? '';
        return { lifecycle, name, count: await countMatching(device, query, `lifecycle:${name}`, context) };
      }),
    ),
  ]);
  // A filter that names no lifecycle selects only the default lifecycles (contract: ModemSelection).
  const candidates = [counts.filter(({ lifecycle }) => isSelectedByDefault(lifecycle)), counts];
  const consistentCounts = candidates.find(
    (candidate) => candidate.reduce((sum, { count }) => sum + count, 0) === total,
  );
  return consistentCounts && new Map(consistentCounts.map(({ name, count }) => [name, count]));
}
