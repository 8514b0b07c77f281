import { streamValues } from '#commands/kit/value-rows.ts';
import type { Span } from '#commands/kit/value-series.ts';
import type { Context } from '#commands/model/context.ts';
import type { ValueOwner } from '#commands/model/values.ts';
import { csvName } from '#commands/text/csv.ts';
import { saveCsv } from '#src/data/save-csv.ts';

/**
 * Downloads all values of fields in a period as CSV, not only those that a chart has room for.
 *
 * @returns the number of values
 */
export async function downloadValues(
  context: Context,
  owner: ValueOwner,
  fields: readonly string[],
  span: Span,
): Promise<number> {
  const { organization, selection: owners } = owner;
  const { columns, batches } = streamValues(context, [{ organization, owners }], {
    fields,
    span,
    every: undefined,
    csv: true,
  });
  let count = 0;
  async function* countedBatches(): AsyncGenerator<readonly unknown[]> {
    for await (const rows of batches) {
      count += rows.length;
      yield rows;
    }
  }
  await saveCsv(csvName(owner.name, new Date(span.from)), { columns, batches: countedBatches() });
  return count;
}
