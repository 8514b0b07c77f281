import { and, eq, sql } from 'drizzle-orm';

import type { Tx } from '#server/db/database.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { device } from '#server/db/schema/device.ts';
import { message } from '#server/db/schema/message.ts';
import { processPoint, processPointDevice } from '#server/db/schema/process-point.ts';
import { latestValue, value } from '#server/db/schema/value.ts';
import { visibleDevices } from '#server/domains/fleet/device/model/where.ts';

import type { ExportRow } from './present.ts';
import { exportSegment } from './schema.ts';

/** The devices that an export may include: hidden ones only if it was requested by someone who sees them. */
export const exportedDevices = ({ organization, hidden }: ExportRow) =>
  visibleDevices({ home: organization, organizations: [organization], allLifecycles: hidden });

/** A bound of the range as SQL. */
export const asInstant = (date: Date) => sql`${date.toISOString()}::timestamptz`;

const startOf = ({ rangeStart }: ExportRow) => (rangeStart === null ? sql`'-infinity'` : asInstant(rangeStart));

/**
 * Divides the rows of an export into segments, in the order of its files, and counts them.
 *
 * @returns the number of rows
 */
export async function planSegments(tx: Tx, row: ExportRow): Promise<number> {
  if (row.kind === 'messages') await planMessages(tx, row);
  else await planValues(tx, row);
  const [counted] = await tx
    .select({ total: sql<string>`coalesce(sum(${exportSegment.total}), 0)` })
    .from(exportSegment)
    .where(and(eq(exportSegment.organization, row.organization), eq(exportSegment.export, row.identifier)));
  return Number(counted?.total ?? 0);
}

/** One segment per device. */
async function planMessages(tx: Tx, row: ExportRow): Promise<void> {
  await tx.execute(sql`
    insert into ${exportSegment} (organization, export, position, number, total)
    select ${row.organization}, ${row.identifier}, row_number() over (order by counted.number), counted.number, counted.total
      from (
        select ${message.number} as number, count(*) as total from ${message}
         where ${and(
           eq(message.organization, row.organization),
           sql`${message.number} = any(${sql.param(row.owners)}::text[])`,
           sql`${message.sentAt} >= ${startOf(row)} and ${message.sentAt} <= ${asInstant(row.rangeEnd)}`,
           sql`${message.receivedAt} <= ${asInstant(row.createdAt)}`,
           sql`${message.number} in (select ${device.number} from ${device} where ${exportedDevices(row)})`,
         )}
         group by ${message.number}
      ) as counted`);
}

/** One segment per field, for each period in which a device measured a process point. */
async function planValues(tx: Tx, row: ExportRow): Promise<void> {
  const link = processPointDevice;
  await tx.execute(sql`
    insert into ${exportSegment} (organization, export, position, number, point, field, since, until, total)
    select ${row.organization}, ${row.identifier},
        row_number() over (order by name, point, number, field, since), number, point, field, since, until, total
      from (
        select ${naturalOrder(processPoint.name)} as name, ${link.point} as point, ${link.number} as number,
            known.field, ${link.since} as since, ${link.until} as until, counted.total
          from ${link}
          join ${processPoint} on ${processPoint.organization} = ${link.organization}
            and ${processPoint.identifier} = ${link.point}
          join ${device} on ${device.organization} = ${link.organization} and ${device.number} = ${link.number}
          join ${latestValue} as known on known.organization = ${link.organization} and known.number = ${link.number}
            and not known.operational and (${link.sharedFields} = '{}' or known.field = any(${link.sharedFields}))
          cross join lateral (
            select count(*) as total from ${value} as measured
             where measured.organization = ${row.organization} and measured.number = ${link.number}
               and measured.field = known.field and not measured.operational
               and measured.time >= ${link.since} and (${link.until} is null or measured.time < ${link.until})
               and measured.time >= ${startOf(row)} and measured.time <= ${asInstant(row.rangeEnd)}
          ) as counted
         where ${and(
           eq(link.organization, row.organization),
           sql`${link.point} = any(${sql.param(row.owners)}::text[])`,
           exportedDevices(row),
         )} and counted.total > 0
      ) as segment`);
}
