import { LETTERS } from '#commands/kit/letters.ts';
import { command } from '#commands/model/command.ts';
import { requireCapability, type Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';
import { type Export_File as ExportFile, Export_Status } from '#proto/gen/hiber/export_pb.ts';

import { dataExport } from './entity.ts';
import { type ExportItem, isProcessing } from './item.ts';

/** How often to ask whether an export is ready. */
const POLL_MS = 1000;

/** Downloads the files of an export. */
export const downloadExport = command({
  id: 'export.download',
  on: () => dataExport,
  requires: 'EXPORT',
  effect: 'read',
  needs: ['files', 'timer'],
  keys: [LETTERS.download],
  params: {
    exports: p.many(() => dataExport, { atMost: 1 }),
    file: p.text({ placeholder: 'messages.csv' }),
    wait: p.flag(),
  },
  positional: ['exports', 'file'],
  run: async (context, { exports: { items }, file, wait }) => {
    const item = wait ? await waitUntilDone(context, items[0]!) : items[0]!;
    const host = requireCapability(context, 'files');
    const names: string[] = [];
    for (const { name, url } of filesOf(item, file)) {
      context.stop.throwIfAborted();
      const bytes = await host.fetch(url, context.stop);
      names.push(await host.save({ name, mediaType: mediaTypeOf(name), bytes }));
    }
    return { message: message('common:files.saved', { name: names.join(', ') }), data: { files: names } };
  },
});

/** Waits until an export is ready or has failed, for scripts. */
export const waitForExport = command({
  id: 'export.wait',
  on: () => dataExport,
  requires: 'EXPORT',
  effect: 'read',
  needs: ['output', 'timer'],
  params: { exports: p.many(() => dataExport, { atMost: 1 }) },
  positional: ['exports'],
  run: async (context, { exports: { items } }) => {
    const item = await waitUntilDone(context, items[0]!);
    filesOf(item, undefined);
    return { message: message('export:done.ready', { name: dataExport.label(item) }) };
  },
});

const mediaTypeOf = (name: string): string => (name.endsWith('.json') ? 'application/json' : 'text/csv');

/**
 * Returns the files to download.
 *
 * @throws CommandError if the export isn't ready, or has no such file
 */
function filesOf(item: ExportItem, file: string | undefined): readonly ExportFile[] {
  const { name, status, error, urls } = item.export;
  if (status === Export_Status.FAILED) throw new CommandError(message('export:validation.failed', { name, error }));
  if (status !== Export_Status.READY) {
    const key = status === Export_Status.EXPIRED ? 'expired' : 'processing';
    throw new CommandError(message(`export:validation.${key}`, { name }));
  }
  const found = file === undefined ? urls : urls.filter((candidate) => candidate.name === file.trim());
  if (found.length > 0) return found;
  const names = urls.map((candidate) => candidate.name).join(', ');
  throw new CommandError(message('export:validation.noFile', { file: file ?? '', names }), 'file');
}

async function waitUntilDone(context: Context, item: ExportItem): Promise<ExportItem> {
  for (let current = item; ;) {
    if (!isProcessing(current)) return current;
    const { rowsDone = 0n, rowsTotal } = current.progress ?? {};
    if (rowsTotal !== undefined) context.progress({ done: Number(rowsDone), total: Number(rowsTotal) });
    await requireCapability(context, 'timer').pause(POLL_MS, context.signal);
    const [next] = await dataExport.byIds(context, [dataExport.id(item)]);
    if (next === undefined) throw new CommandError(message('export:validation.deleted', { name: item.export.name }));
    current = next;
  }
}
