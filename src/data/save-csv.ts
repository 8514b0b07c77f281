import { csvParts } from '#commands/kit/csv-table.ts';
import type { RowStream } from '#commands/model/host.ts';
import { translate } from '#src/i18n/i18n.ts';

import { saveFile } from './save-file.ts';

const TYPE = 'text/csv;charset=utf-8';
/** The characters to collect before the browser gets them. It can keep what it has on disk. */
const PART_LENGTH = 1_000_000;

/** Saves rows as a CSV file while they load, without keeping them in memory. */
export async function saveCsv(name: string, rows: Pick<RowStream, 'columns' | 'batches' | 'formulas'>): Promise<void> {
  // Without the byte order mark, Excel reads °C as Â°C.
  const parts: Blob[] = [new Blob(['\uFEFF'])];
  let texts: string[] = [];
  let length = 0;
  const flush = (): void => {
    parts.push(new Blob(texts));
    [texts, length] = [[], 0];
  };
  for await (const text of csvParts(rows, { translate })) {
    texts.push(text);
    length += text.length;
    if (length >= PART_LENGTH) flush();
  }
  flush();
  saveFile(name, parts, TYPE);
}
