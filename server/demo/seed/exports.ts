import { create } from '@bufbuild/protobuf';

import { Export_Format_Type, Export_FormatSchema, Export_Status } from '#proto/gen/hiber/export_pb.ts';
import type { Sealer } from '#server/base/secrets.ts';
import type { Tx } from '#server/db/database.ts';
import { recordExportEvent } from '#server/domains/data/export/events.ts';
import { storeFormat } from '#server/domains/data/export/format.ts';
import type { ExportRow } from '#server/domains/data/export/present.ts';
import { exportBatch } from '#server/domains/data/export/run.ts';
import { dataExport } from '#server/domains/data/export/schema.ts';
import { isHidden } from '#server/wire/lifecycles.ts';

import type { Fleet } from './fleet.ts';
import { demoPeople } from './people.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** More than the demo's devices have sent. */
const MAX_ROWS = 5000;

const csvFormat = create(Export_FormatSchema, {
  type: Export_Format_Type.CSV,
  configuration: {
    case: 'csv',
    value: {
      columns: [
        { name: 'Device number', jsonPath: '$.modemNumber' },
        { name: 'Device name', jsonPath: '$.modemName' },
        { name: 'Sent at', jsonPath: '$.sentAt.timestamp' },
        { name: 'Received at', jsonPath: '$.receivedAt.timestamp' },
        { name: 'Latitude', jsonPath: '$.location.latitude' },
        { name: 'Longitude', jsonPath: '$.location.longitude' },
        { name: 'Body', jsonPath: '$.bodyBytes.hex' },
      ],
      separator: ',',
      quote: '"',
      escape: '"',
      newline: '\n',
    },
  },
});
const jsonFormat = create(Export_FormatSchema, {
  type: Export_Format_Type.JSON,
  configuration: { case: 'json', value: { compact: true } },
});

/** Adds an export that is ready, one that has expired, and one that failed. */
export async function seedExports(tx: Tx, { devices }: Fleet, secrets: Sealer, now: Date): Promise<void> {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const numbers = devices.filter(({ lifecycle }) => !isHidden(lifecycle)).map(({ number }) => number);
  const organization = devices[0]?.organization ?? '';
  const add = async (index: number, values: Pick<ExportRow, 'name' | 'createdAt'> & Partial<ExportRow>) => {
    const [row] = await tx
      .insert(dataExport)
      .values({
        organization,
        identifier: `export-${String(index).padStart(20, '0')}`,
        status: Export_Status.PROCESSING,
        kind: 'messages',
        owners: numbers.slice(0, 12),
        rangeStart: new Date(values.createdAt.getTime() - 30 * DAY),
        rangeEnd: values.createdAt,
        format: storeFormat(csvFormat),
        expiresIn: (7 * DAY) / 1000,
        requestedBy: demoPeople.find(({ kind }) => kind === 'operator')?.id ?? '',
        emailSubscribed: false,
        units: {},
        hidden: false,
        dueAt: values.createdAt,
        ...values,
      })
      .returning();
    return row as ExportRow;
  };
  await add(1, {
    name: 'Quarterly archive',
    createdAt: ago(41 * DAY),
    format: storeFormat(jsonFormat),
    status: Export_Status.EXPIRED,
    expiresAt: ago(34 * DAY),
    rowsDone: 96,
    rowsTotal: 96,
  });
  const failed = await add(2, {
    name: 'Everything since 2019',
    createdAt: ago(52 * HOUR),
    rangeStart: new Date(Date.UTC(2019, 0, 1)),
    status: Export_Status.FAILED,
    error: `The exports of ${organization} can have at most 20 GB together. Delete those that nobody needs, or export less.`,
  });
  await recordExportEvent(tx, 'exportFailed', failed, [], ago(51 * HOUR));
  const createdAt = ago(20 * HOUR);
  const ready = await add(3, { name: 'Messages for the monthly report', createdAt });
  const config = { exportPace: { rows: MAX_ROWS, pauseMs: 0 }, neutralizesFormulas: true, origin: '' };
  const { isLast } = await exportBatch({ now: () => createdAt, secrets, config }, tx, ready);
  if (!isLast) throw new Error('An export of the demo has more than one batch.');
}
