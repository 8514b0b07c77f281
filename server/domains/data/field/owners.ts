import { and, asc, type SQL, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import type { FieldSelection, ListFields_Sort } from '#proto/gen/hiber/field_service_pb.ts';
import type { ModemSelection } from '#proto/gen/hiber/modem_pb.ts';
import type { ProcessPointSelection } from '#proto/gen/hiber/process_point_pb.ts';
import type { UnitPreferences } from '#proto/gen/hiber/unit_preferences_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Orm } from '#server/db/database.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { device } from '#server/db/schema/device.ts';
import { parser, parserField } from '#server/db/schema/parser.ts';
import { processPoint, processPointDevice } from '#server/db/schema/process-point.ts';
import { assignedParsers } from '#server/domains/data/parser/model/assigned.ts';
import { presentField } from '#server/domains/data/parser/model/fields.ts';
import { readModemCriteria } from '#server/domains/fleet/device/model/criteria.ts';
import { requireIncludedDevices } from '#server/domains/fleet/device/model/included-devices.ts';
import { deviceScope, deviceWhere, visibleDevices } from '#server/domains/fleet/device/model/where.ts';
import { pointWhere, requireNamedPoints } from '#server/domains/fleet/process-point/model/where.ts';
import type { Scope } from '#server/session/scope.ts';
import type { Page } from '#server/wire/pagination.ts';

import { fieldOrder, fieldWhere, withParser } from './list.ts';

/** A device or process point with the fields of its parsers. */
export interface OwnerFields<Owner> {
  readonly owner: Owner;
  readonly fields: readonly Field[];
}

interface FieldOptions {
  readonly fieldSelection?: FieldSelection | undefined;
  readonly sort?: ListFields_Sort | undefined;
  /** The units to present the fields in, if given. */
  readonly preferences: UnitPreferences | undefined;
}

interface OwnersPage<Owner> {
  readonly owners: readonly OwnerFields<Owner>[];
  /** The number of owners. */
  readonly count: number;
  /** Returns every owner's fields, without duplicates. */
  readonly total: () => Promise<readonly Field[]>;
}

/** Lists a page of devices by number, with the fields of their parsers. */
export async function listDeviceFields(
  app: App,
  caller: Scope,
  selection: ModemSelection | undefined,
  options: FieldOptions,
  requestedPage: Page,
) {
  const { orm } = app.db;
  const scope = deviceScope(caller);
  const criteria = readModemCriteria(selection, app.now());
  await requireIncludedDevices(orm, scope, criteria);
  const where = deviceWhere(scope, criteria);
  const devices = await orm
    .select({ key: device.number, name: device.name, externalIds: device.externalIds })
    .from(device)
    .where(where)
    .orderBy(asc(device.number))
    .limit(requestedPage.limit)
    .offset(requestedPage.offset);
  // A device is its own owner, and shares all of its fields.
  const links = (numbers: SQL) => sql`
    select number as owner, number, '{}'::text[] as shared_fields from (${numbers}) as listed (number)`;
  const all = links(sql`select ${device.number} from ${device} where ${where}`);
  return loadOwners(orm, caller, devices, await orm.$count(device, where), { links, all }, options);
}

/**
 * Lists a page of process points by name, with the fields that their devices share with them.
 *
 * @param historic true to include devices that measured the point earlier
 */
export async function listPointFields(
  app: App,
  caller: Scope,
  selection: ProcessPointSelection | undefined,
  options: FieldOptions & { readonly historic: boolean },
  requestedPage: Page,
) {
  const { orm } = app.db;
  const scope = deviceScope(caller);
  await requireNamedPoints(orm, scope, selection);
  const where = pointWhere(scope, selection);
  const points = await orm
    .select({ key: processPoint.identifier, name: processPoint.name })
    .from(processPoint)
    .where(where)
    .orderBy(asc(naturalOrder(processPoint.name)), asc(processPoint.identifier))
    .limit(requestedPage.limit)
    .offset(requestedPage.offset);
  const links = (identifiers: SQL) => sql`
    select link.point as owner, link.number, link.shared_fields from ${processPointDevice} as link
      join ${device} on ${device.organization} = link.organization and ${device.number} = link.number
     where ${and(
       sql`link.organization = ${caller.organization} and link.point in (${identifiers})`,
       options.historic ? undefined : sql`link.until is null`,
       visibleDevices(scope),
     )}`;
  const all = links(sql`select ${processPoint.identifier} from ${processPoint} where ${where}`);
  return loadOwners(orm, caller, points, await orm.$count(processPoint, where), { links, all }, options);
}

interface OwnerLinks {
  /** Selects the devices of owners with the given keys, as rows of `owner`, `number`, and `shared_fields`. */
  readonly links: (keys: SQL) => SQL;
  /** Selects the devices of all selected owners. */
  readonly all: SQL;
}

async function loadOwners<Owner extends { readonly key: string }>(
  orm: Orm,
  { organization }: Scope,
  owners: readonly Owner[],
  count: number,
  { links, all }: OwnerLinks,
  { fieldSelection, sort, preferences }: FieldOptions,
): Promise<OwnersPage<Owner>> {
  const select = (ownerLinks: SQL, owner: SQL) => {
    const parsers = assignedParsers(sql`(select ${organization}::text, number from owner_link)`);
    return orm
      .select({
        owner: sql<string>`owned.owner`,
        field: parserField,
        parser: { identifier: parser.identifier, name: parser.name },
      })
      .from(parserField)
      .innerJoin(parser, withParser)
      .innerJoin(
        sql`(
          with owner_link as materialized (${ownerLinks})
          select distinct ${owner} as owner, assigned.owner as parser_owner, assigned.parser, owner_link.shared_fields
            from owner_link join (${parsers}) as assigned on assigned.number = owner_link.number
        ) as owned`,
        sql`owned.parser_owner = ${parserField.organization} and owned.parser = ${parserField.parser}
          and (owned.shared_fields = '{}' or ${parserField.field} = any(owned.shared_fields))`,
      )
      .where(fieldWhere(organization, fieldSelection))
      .orderBy(...fieldOrder(sort));
  };
  const keys = sql`select unnest(${sql.param(owners.map(({ key }) => key))}::text[])`;
  const rows = owners.length === 0 ? [] : await select(links(keys), sql`owner_link.owner`);
  const presentOwner = (row: Pick<(typeof rows)[number], 'field' | 'parser'>) =>
    presentField(row.field, row.parser, preferences);
  const byOwner = groupBy(rows, ({ owner }) => owner);
  return {
    owners: owners.map((owner) => ({ owner, fields: distinctRows(byOwner.get(owner.key) ?? []).map(presentOwner) })),
    count,
    total: async () => distinctRows(await select(all, sql`''`)).map(presentOwner),
  };
}

/** Keeps each field once: several devices of a point may have the same parser. */
function distinctRows<Row extends { readonly field: { readonly identifier: string } }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.field.identifier, row])).values()];
}
