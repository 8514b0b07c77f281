import { sql } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import type { Sealer } from '#server/base/secrets.ts';
import type { Tx } from '#server/db/database.ts';
import type { Box } from '#server/db/locations.ts';
import { parser } from '#server/db/schema/parser.ts';
import type { Point } from '#server/db/schema/tag.ts';
import { usableBy } from '#server/domains/data/parser/model/find.ts';
import { sealValue } from '#server/domains/data/parser/model/sealed-value.ts';
import type { ExtractedValue } from '#server/domains/data/parser/pipeline/extract.ts';
import { storeValues } from '#server/domains/data/parser/pipeline/store.ts';
import { deviceLocationUpdated } from '#server/domains/fleet/device/model/events.ts';
import { loadDeviceSubjects } from '#server/domains/fleet/device/model/subject.ts';
import { lockAvailableDevices } from '#server/domains/fleet/message/ingest.ts';
import { recordEvents } from '#server/events/record.ts';

import { BATCH_SIZE } from './limits.ts';
import { pickLocation } from './locations.ts';

/** Records the run of a claimed row of `due` and schedules the next one. Missed runs are skipped. */
const recordRun = (now: Date) => sql`sent = sent + 1, last_run = ${now.toISOString()}::timestamptz,
  next_run = ${now.toISOString()}::timestamptz + make_interval(secs => due.interval_seconds)`;

/** Moves the devices whose simulated location is due. */
export async function runLocations(app: App, organization: string): Promise<boolean> {
  const now = app.now();
  return app.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{
      number: string;
      area: Box | null;
      locations: Point[] | null;
      sent: number;
    }>(sql`
      select number, area, locations, sent::float8 as sent from location_simulation
       where organization = ${organization} and next_run <= ${now.toISOString()}::timestamptz
       order by number limit ${BATCH_SIZE.values} for update skip locked`);
    const availableDevices = await lockAvailableDevices(
      tx,
      organization,
      rows.map(({ number }) => number),
    );
    const moves = rows.flatMap((row) => {
      const location = pickLocation(row, row.sent);
      return location !== undefined && availableDevices.has(row.number) ? [{ number: row.number, location }] : [];
    });
    if (moves.length === 0) return false;
    const numbers = moves.map(({ number }) => number);
    await tx.execute(sql`
      update location_simulation as due set ${recordRun(now)}
       where organization = ${organization} and number = any(${sql.param(numbers)}::text[])`);
    const { rows: movedRows } = await tx.execute<{ number: string }>(sql`
      update device set latitude = moved.latitude, longitude = moved.longitude
        from unnest(${sql.param(numbers)}::text[],
          ${sql.param(moves.map(({ location }) => location.latitude))}::float8[],
          ${sql.param(moves.map(({ location }) => location.longitude))}::float8[]) as moved (number, latitude, longitude)
       where device.organization = ${organization} and device.number = moved.number
         and (device.latitude, device.longitude) is distinct from (moved.latitude, moved.longitude)
      returning device.number`);
    const movedNumbers = new Set(movedRows.map(({ number }) => number));
    const subjects = await loadDeviceSubjects(tx, organization, [...movedNumbers]);
    await recordEvents(
      tx,
      moves.flatMap(({ number, location }) => {
        const subject = subjects.get(number);
        return subject === undefined ? [] : [deviceLocationUpdated(subject, now, location, now)];
      }),
    );
    return rows.length === BATCH_SIZE.values;
  });
}

interface DueValue extends Record<string, unknown>, Omit<ExtractedValue, 'numericType' | 'operational' | 'numeric'> {
  readonly number: string;
  readonly parser: string;
  readonly numeric_type: ExtractedValue['numericType'];
  /** Absent if the parser no longer has the field, or isn't available to the organization anymore. */
  readonly operational: boolean | null;
  readonly encrypted: boolean | null;
  /** True if `text` is sealed. */
  readonly is_sealed: boolean;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** Stores the values that are due. They have the device's location if the server simulates it. */
export async function runValues(app: App, organization: string): Promise<boolean> {
  const now = app.now();
  return app.db.transaction(async (tx) => {
    const { rows } = await tx.execute<DueValue>(sql`
      select due.number, due.field, due.parser, due.type, due.numeric_type, due.unit, field.operational,
        field.encrypted,
        due.rotation ->> (due.sent % jsonb_array_length(due.rotation))::int as text, due.sealed as is_sealed,
        case when location.number is not null then device.latitude end as latitude,
        case when location.number is not null then device.longitude end as longitude
      from value_simulation as due
      join device on device.organization = due.organization and device.number = due.number
      left join parser_field as field
        on field.organization = due.owner and field.parser = due.parser and field.identifier = due.field_identifier
          and exists (select from ${parser} where ${parser.organization} = due.owner
            and ${parser.identifier} = due.parser and ${usableBy(organization)})
      left join location_simulation as location
        on location.organization = due.organization and location.number = due.number
      where due.organization = ${organization} and due.next_run <= ${now.toISOString()}::timestamptz
      order by due.number, due.field limit ${BATCH_SIZE.values} for update of due skip locked`);
    await endOrphans(tx, organization, rows);
    const availableDevices = await lockAvailableDevices(
      tx,
      organization,
      rows.map(({ number }) => number),
    );
    const rowsToStore = rows.filter(({ number, operational }) => operational !== null && availableDevices.has(number));
    if (rowsToStore.length === 0) return false;
    await tx.execute(sql`
      update value_simulation as due set ${recordRun(now)}
        from unnest(${sql.param(rowsToStore.map(({ number }) => number))}::text[],
          ${sql.param(rowsToStore.map(({ field }) => field))}::text[]) as stored (number, field)
       where due.organization = ${organization} and due.number = stored.number and due.field = stored.field`);
    await storeValues(
      tx,
      organization,
      rowsToStore.map((row) => ({
        id: 0,
        number: row.number,
        outcomes: [
          {
            parser: row.parser,
            name: '',
            result: {},
            plainResult: {},
            measuredAt: now,
            values: [toValue(app.secrets, row)],
            location:
              row.latitude === null || row.longitude === null
                ? undefined
                : { latitude: row.latitude, longitude: row.longitude },
            messageMetadata: undefined,
            deviceMetadata: undefined,
          },
        ],
      })),
    );
    return rows.length === BATCH_SIZE.values;
  });
}

function toValue(secrets: Sealer, { field, type, numeric_type: numericType, unit, ...row }: DueValue): ExtractedValue {
  const common = { field, type, numericType, unit, operational: row.operational ?? false };
  const text = row.is_sealed ? secrets.open(row.text ?? '') : row.text;
  // Only numeric values have a numeric type.
  const value =
    numericType === null ? { numeric: null, text, ...common } : { numeric: Number(text), text: null, ...common };
  return row.encrypted ? sealValue(secrets, value) : value;
}

/** Ends the simulation of fields that their parser no longer has, and of parsers that aren't available anymore. */
async function endOrphans(tx: Tx, organization: string, rows: readonly DueValue[]): Promise<void> {
  const orphans = rows.filter(({ operational }) => operational === null);
  if (orphans.length === 0) return;
  await tx.execute(sql`
    delete from value_simulation as due using unnest(${sql.param(orphans.map(({ number }) => number))}::text[],
        ${sql.param(orphans.map(({ field }) => field))}::text[]) as orphan (number, field)
     where due.organization = ${organization} and due.number = orphan.number and due.field = orphan.field`);
}
