import { create } from '@bufbuild/protobuf';
import { and, sql } from 'drizzle-orm';

import { Export_Status } from '#proto/gen/hiber/export_pb.ts';
import {
  type ListProgressResponse,
  ListProgressResponseSchema,
} from '#proto/gen/quarterdeck/export/v1/export_progress_service_pb.ts';
import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import { fileContent } from '#server/domains/data/file/schema.ts';
import type { Scope } from '#server/session/scope.ts';
import { presentTimestamp } from '#server/wire/present.ts';

import { visibleExports } from './find.ts';
import type { ExportRow } from './present.ts';
import { dataExport, exportFile } from './schema.ts';

export async function listProgress(
  app: App,
  caller: Scope,
  identifiers: readonly string[],
): Promise<ListProgressResponse> {
  // Names the columns, because a select from a single table leaves out the tables of ours.
  const bytes = sql<string>`(select coalesce(sum(content.size), 0) from ${exportFile} as part
    join ${fileContent} as content on content.organization = part.organization and content.id = part.content
   where part.organization = data_export.organization and part.export = data_export.identifier)`;
  const rows = await app.db.orm
    .select({ row: dataExport, bytes })
    .from(dataExport)
    .where(and(visibleExports(caller), anyOf(dataExport.identifier, identifiers)));
  return create(ListProgressResponseSchema, {
    keepsFormulas: !app.config.neutralizesFormulas,
    progress: rows.map(({ row, bytes: size }) => ({
      identifier: row.identifier,
      createdAt: presentTimestamp(row.createdAt),
      rowsDone: BigInt(row.rowsDone),
      rowsTotal: row.rowsTotal === null ? undefined : BigInt(row.rowsTotal),
      estimatedEnd: estimateEnd(app, row),
      bytes: BigInt(size),
    })),
  });
}

function estimateEnd({ config, now }: App, { status, rowsDone, rowsTotal, dueAt }: ExportRow) {
  if (status !== Export_Status.PROCESSING || rowsTotal === null) return undefined;
  const { rows, pauseMs } = config.exportPace;
  const remainingBatches = Math.ceil(Math.max(1, rowsTotal - rowsDone) / rows);
  const end = Math.max(dueAt.getTime(), now().getTime()) + (remainingBatches - 1) * pauseMs;
  return presentTimestamp(new Date(end));
}
