import { loadValuePages } from '#commands/kit/value-pages.ts';
import { valueLoader } from '#commands/kit/value-rows.ts';
import type { Span } from '#commands/kit/value-series.ts';
import { valueText } from '#commands/kit/value-text.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { ValueOwner } from '#commands/model/values.ts';
import { toMs } from '#commands/model/wire.ts';
import { csvLine } from '#commands/text/csv.ts';
import { message } from '#commands/text/message.ts';

/** The maximum number of values to download. The browser keeps them all in memory. */
const MAX_VALUES = 200_000;

/**
 * Downloads all values of fields in a period as CSV, not only those that a chart has room for.
 *
 * @returns the number of values
 * @throws CommandError if there are too many
 */
export async function downloadValues(
  context: Context,
  owner: ValueOwner,
  fields: readonly string[],
  span: Span,
): Promise<number> {
  const { organization, selection: owners } = owner;
  const lines = [csvLine(['time', 'device', 'number', 'field', 'value', 'unit'])];
  for await (const values of loadValuePages(valueLoader(context, { organization, owners }, fields), span)) {
    for (const value of values) {
      const { text = '', unit = '' } = valueText(value) ?? {};
      const time = new Date(toMs(value.time) ?? 0).toISOString();
      const { device, field } = value;
      lines.push(csvLine([time, device?.name ?? '', device?.number ?? '', field, text, unit]));
    }
    if (lines.length > MAX_VALUES) throw new CommandError(message('chart:tooMany', { limit: MAX_VALUES }));
  }
  const name = owner.name.replace(/[^\p{L}\p{N}._-]+/gu, '-');
  save(`${name}-${new Date(span.from).toISOString().slice(0, 10)}.csv`, lines);
  return lines.length - 1;
}

function save(name: string, lines: readonly string[]): void {
  // Without the byte order mark, Excel reads °C as Â°C.
  const url = URL.createObjectURL(new Blob(['\uFEFF', ...lines], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read the data by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
