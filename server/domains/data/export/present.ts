import { create, type MessageInitShape } from '@bufbuild/protobuf';

import type { Export_ConfigurationSchema } from '#proto/gen/hiber/export_pb.ts';
import { type Export, Export_Status, ExportSchema } from '#proto/gen/hiber/export_pb.ts';
import { FILES_PATH } from '#server/domains/data/file/files.ts';
import { presentDuration, presentTimestamp } from '#server/wire/present.ts';

import { openFormat } from './format.ts';
import type { dataExport, exportFile } from './schema.ts';

export type ExportRow = typeof dataExport.$inferSelect;
export type ExportFileRow = typeof exportFile.$inferSelect;

/** The folder of the links to exports, after the organization. server/http/files serves them. */
export const EXPORTS_FOLDER = 'exports';

/** Returns the path of a file's content. It is relative, as {@link fileLink} of uploaded files is. */
export const exportLink = ({ organization, key }: Pick<ExportFileRow, 'organization' | 'key'>): string =>
  `${FILES_PATH}${encodeURIComponent(organization)}/${EXPORTS_FOLDER}/${key}`;

/** Returns the name of a file. The first one has no number, because most exports have only one. */
export function fileName({ name, format }: Pick<ExportRow, 'name' | 'format'>, index: number): string {
  const ending = openFormat(format).configuration.case === 'json' ? 'json' : 'csv';
  return `${name}${index === 0 ? '' : ` (${index + 1})`}.${ending}`;
}

/** Returns the status at a time. A job removes the files of expired exports within a minute. */
export const statusAt = ({ status, expiresAt }: ExportRow, now: Date): Export_Status =>
  status === Export_Status.READY && expiresAt !== null && expiresAt <= now ? Export_Status.EXPIRED : status;

/**
 * Presents an export.
 *
 * @param asAssets true to present process points as assets (contract: use_process_point_in_configuration)
 */
export function presentExport(
  row: ExportRow,
  files: readonly ExportFileRow[],
  now: Date,
  { asAssets = false }: { readonly asAssets?: boolean } = {},
): Export {
  const status = statusAt(row, now);
  const current = files.filter(({ expiresAt }) => expiresAt !== null && expiresAt > now);
  return create(ExportSchema, {
    identifier: row.identifier,
    name: row.name,
    status,
    urls:
      status === Export_Status.READY
        ? current.map((file) => ({ name: fileName(row, file.index), url: exportLink(file) }))
        : [],
    expiresAt: row.expiresAt === null ? undefined : presentTimestamp(row.expiresAt),
    format: openFormat(row.format),
    configuration: presentConfiguration(row, asAssets),
    error: row.error ?? '',
    requestedBy: row.requestedBy,
  });
}

function presentConfiguration(
  { kind, owners, rangeStart, rangeEnd, expiresIn }: ExportRow,
  asAssets: boolean,
): MessageInitShape<typeof Export_ConfigurationSchema> {
  const timeRange = {
    ...(rangeStart === null ? {} : { start: presentTimestamp(rangeStart) }),
    end: presentTimestamp(rangeEnd),
  };
  const type =
    kind === 'messages'
      ? ({ case: 'modemMessage', value: { modems: owners, timeRange } } as const)
      : asAssets
        ? ({ case: 'assetValues', value: { assetIdentifiers: owners, timeRange } } as const)
        : ({ case: 'processPointValues', value: { processPointIdentifiers: owners, timeRange } } as const);
  return { expiresIn: presentDuration(expiresIn), type };
}
