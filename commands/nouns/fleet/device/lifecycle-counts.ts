import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { Context } from '#commands/model/context.ts';
import { countMatching } from '#commands/run/outline.ts';
import { enumName } from '#commands/model/wire.ts';
import { device } from './entity.ts';
import { isNormal, visibleLifecycles } from './lifecycle.ts';

/**
 * How many devices of a filter are in which lifecycle. Undefined when the counts do not add up to what the filter
 * matches.
 */
export async function lifecycleCounts(
  context: Context,
  query: string,
): Promise<ReadonlyMap<string, number> | undefined> {
  const visible = await visibleLifecycles(context);
  const [total, counted] = await Promise.all([
    countMatching(device, query, '', context),
    Promise.all(
      visible.map(async (lifecycle) => {
        const name = enumName(Modem_Lifecycle, lifecycle) ?? '';
        return { lifecycle, name, count: await countMatching(device, query, `lifecycle:${name}`, context) };
      }),
    ),
  ]);
  // A filter that names no lifecycle leaves some out (contract: ModemSelection); one that names them does not.
  const parts = [counted.filter(({ lifecycle }) => isNormal(lifecycle)), counted];
  const found = parts.find((part) => part.reduce((sum, { count }) => sum + count, 0) === total);
  return found && new Map(found.map(({ name, count }) => [name, count]));
}
