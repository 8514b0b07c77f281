import { bulkAction } from '#commands/kit/bulk-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { command } from '#commands/model/command.ts';
import { entityLabels } from '#commands/model/entity.ts';
import { p, required } from '#commands/model/params.ts';
import { durationInit, textOf } from '#commands/model/wire.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { processPoint } from '#commands/nouns/fleet/process-point/entity.ts';
import { printDuration } from '#commands/text/duration.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';
import { ExportService } from '#proto/gen/hiber/export_pb.ts';

import { dataExport } from './entity.ts';
import { contentOf, isReady } from './item.ts';
import { nameOf, requestExport, requestParams, type Source, withdrawal } from './request.ts';

const HOUR = 3600;
const MAX_EXTENSION = 366 * 24 * HOUR;

/** Keeps the files of exports longer. The contract has no way to shorten the time again. */
export const extendExport = bulkAction({
  entity: dataExport,
  verb: 'extend',
  requires: 'EXPORT',
  params: { by: required(p.duration({ min: HOUR, max: MAX_EXTENSION })) },
  positional: ['by'],
  appliesTo: (item) => isReady(item),
  summary: ({ by }) => ({ duration: printDuration(by) }),
  change: ({ export: { expiresAt } }, { by }) => ({
    field: message('export:fields.expires'),
    before: textOf(expiresAt),
    after: `+ ${printDuration(by)}`,
  }),
  harmless: true,
  size: 1,
  call: async ({ api, organization, signal }, [item], { by }) => {
    const identifier = dataExport.id(item!);
    await api(ExportService).extend({ organization, identifier, extendBy: durationInit(by) }, { signal });
  },
});

/** Deletes exports with their files. One in progress stops. */
export const deleteExport = bulkAction({
  entity: dataExport,
  verb: 'delete',
  requires: 'EXPORT',
  effect: 'destructive',
  keys: [LETTERS.remove],
  size: 1,
  call: async ({ api, organization, signal }, [item]) => {
    await api(ExportService).delete({ organization, identifier: dataExport.id(item!) }, { signal });
  },
});

/** Requests an export again, with another range. */
export const repeatExport = command({
  id: 'export.repeat',
  on: () => dataExport,
  requires: 'EXPORT',
  effect: 'write',
  keys: [LETTERS.duplicate],
  params: {
    exports: p.many(() => dataExport, { atMost: 1 }),
    range: required(p.range()),
    name: p.text({ maxLength: MAX_LENGTH.exportName }),
    expires: requestParams.expires,
    email: p.flag(),
  },
  positional: ['exports', 'range'],
  plan: async (context, { exports: { items }, ...args }) => {
    const source = sourceOf(items, context.organization.id);
    const entity = source.content === 'messages' ? device : processPoint;
    return {
      summary: message(`export:plan.${source.content}`, {
        name: nameOf(context, source, args),
        items: entityLabels.count(entity, source.ids.length),
      }),
      count: 1,
      changes: [],
      reversible: true,
    };
  },
  run: async (context, { exports: { items }, ...args }) => {
    const source = sourceOf(items, context.organization.id);
    const name = nameOf(context, source, args);
    const { format = {} } = items[0]!.export;
    return requestExport(context, source, { ...args, name, format });
  },
  inverse: (_args, outcome) => withdrawal(outcome),
});

function sourceOf(items: readonly Parameters<typeof dataExport.id>[0][], organization: string): Source {
  return { ...contentOf(items[0]!.export), organization };
}
