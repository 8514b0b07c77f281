import { and, type SQL, sql } from 'drizzle-orm';

import { type AssignmentSelection, AssignmentType } from '#proto/gen/hiber/assignment_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { parserDevice, parserTag } from '#server/db/schema/parser.ts';
import { processPointDevice, processPointTag } from '#server/db/schema/process-point.ts';
import { deviceTag } from '#server/db/schema/tag.ts';
import { usableBy } from '#server/domains/data/parser/model/find.ts';
import { type DeviceScope, visibleDevices } from '#server/domains/fleet/device/model/where.ts';

import type { Link } from './link.ts';
import { type SideConditions, deviceAmong, parserAmong, type Side } from './side-conditions.ts';

/** The sides of each type that this server has. Alarms aren't served yet, so they have no assignments. */
const SIDES = {
  [AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_MODEM]: ['number', 'parser'],
  [AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_TAG]: ['tag', 'parser'],
  [AssignmentType.ASSIGNS_MODEM_TO_TAG]: ['number', 'tag'],
  [AssignmentType.ASSIGNS_PROCESS_POINT_TO_TAG]: ['tag', 'point'],
  [AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE]: ['number', 'point'],
} as const satisfies Partial<Record<AssignmentType, readonly Side[]>>;

type LinkType = keyof typeof SIDES;

const none = sql`null`;

/** The table of each type, with its columns in the order that the union requires. */
const TABLES: Readonly<Record<LinkType, { readonly table: SQL; readonly columns: Readonly<Record<Side, SQL>> }>> = {
  [AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_MODEM]: {
    table: sql`${parserDevice}`,
    columns: { number: sql`number`, tag: none, point: none, parser: sql`parser` },
  },
  [AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_TAG]: {
    table: sql`${parserTag}`,
    columns: { number: none, tag: sql`tag`, point: none, parser: sql`parser` },
  },
  [AssignmentType.ASSIGNS_MODEM_TO_TAG]: {
    table: sql`${deviceTag}`,
    columns: { number: sql`number`, tag: sql`tag`, point: none, parser: none },
  },
  [AssignmentType.ASSIGNS_PROCESS_POINT_TO_TAG]: {
    table: sql`${processPointTag}`,
    columns: { number: none, tag: sql`tag`, point: sql`point`, parser: none },
  },
  [AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE]: {
    table: sql`${processPointDevice}`,
    columns: { number: sql`number`, tag: none, point: sql`point`, parser: none },
  },
};

interface LinksOptions {
  readonly types?: AssignmentSelection['types'];
  /** Includes assignments that have ended. */
  readonly includeInactive?: boolean;
}

/** Selects assignments of all types, as rows with the columns of {@link LinkColumns}. */
export function linksQuery(
  scope: DeviceScope,
  conditions: SideConditions,
  { types, includeInactive = false }: LinksOptions = {},
): SQL {
  const { include = [], exclude = [] } = types ?? {};
  const selectedTypes = (Object.keys(SIDES).map(Number) as LinkType[]).filter(
    (type) =>
      (include.length === 0 || include.includes(type)) &&
      !exclude.includes(type) &&
      Object.entries(conditions).every(
        ([side, condition]) => condition === undefined || SIDES[type].some((typeSide) => typeSide === side),
      ),
  );
  const parts = selectedTypes.map((type) => {
    const { table, columns } = TABLES[type];
    const isPeriod = type === AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE;
    const sides: readonly Side[] = SIDES[type];
    const organization = sql`link.organization`;
    const column = (side: Side) => sql`link.${columns[side]}`;
    const where = and(
      sql`link.organization = any(${sql.param([...scope.organizations])}::text[])`,
      ...sides.map((side) => conditions[side]?.(column(side), organization)),
      // Devices that the caller may not see, and parsers that were made unavailable, have no assignments.
      sides.includes('number') && conditions.number === undefined
        ? deviceAmong(visibleDevices(scope))(column('number'), organization)
        : undefined,
      sides.includes('parser') && conditions.parser === undefined
        ? parserAmong(column('parser'), usableBy(scope.home))
        : undefined,
      isPeriod && !includeInactive ? sql`link.until is null` : undefined,
    );
    return sql`
      select ${sql.raw(String(type))} as type, link.organization,
        ${columns.number}::text as number, ${columns.tag}::bigint as tag, ${columns.point}::text as point,
        ${columns.parser}::text as parser, ${sides.includes('parser') ? sql`owner` : none}::text as owner,
        link.since, ${isPeriod ? sql`link.until` : none}::timestamptz as until,
        ${isPeriod ? sql`link.shared_fields` : none}::text[] as shared_fields
        from ${table} as link where ${where}`;
  });
  return parts.length === 0
    ? sql`select 0 as type, '' as organization, '' as number, 0::bigint as tag, '' as point, '' as parser, '' as owner,
        now() as since, now() as until, '{}'::text[] as shared_fields where false`
    : sql.join(parts, sql` union all `);
}

interface LinkColumns extends Record<string, unknown> {
  readonly type: AssignmentType;
  readonly organization: string;
  readonly number: string | null;
  readonly tag: string | null;
  readonly point: string | null;
  readonly parser: string | null;
  readonly owner: string | null;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly until: number | null;
  readonly sharedFields: string[] | null;
}

/** Loads links from the rows of a {@link linksQuery}. */
export async function loadLinks(db: Executor, links: SQL, rest: SQL = sql``): Promise<Link[]> {
  const { rows } = await db.execute<LinkColumns>(sql`
    select type, organization, number, tag, point, parser, owner, (extract(epoch from since) * 1000)::float8 as since,
      (extract(epoch from until) * 1000)::float8 as until, shared_fields as "sharedFields"
      from (${links}) as link ${rest}`);
  return rows.map((row) => ({
    ...row,
    tag: row.tag === null ? null : Number(row.tag),
    since: new Date(row.since),
    until: row.until === null ? null : new Date(row.until),
    sharedFields: row.sharedFields ?? [],
  }));
}

/** Selects the assignments between exactly these items, including those that have ended. */
export const linksBetween = (
  scope: DeviceScope,
  type: LinkType,
  items: Partial<Record<Side, readonly (string | number)[]>>,
): SQL => {
  const sideCondition = (side: Side) => {
    const values = items[side];
    const elementType = sql.raw(side === 'tag' ? 'bigint' : 'text');
    return values && ((column: SQL) => sql`${column} = any(${sql.param([...values])}::${elementType}[])`);
  };
  const conditions = {
    number: sideCondition('number'),
    tag: sideCondition('tag'),
    point: sideCondition('point'),
    parser: sideCondition('parser'),
  };
  return linksQuery(scope, conditions, {
    types: { $typeName: 'hiber.assign.AssignmentSelection.AssignmentTypes', include: [type], exclude: [] },
    includeInactive: true,
  });
};
