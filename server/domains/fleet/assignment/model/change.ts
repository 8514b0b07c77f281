/** Creates, ends and deletes assignments, with their events and a constant number of statements. */
import { type SQL, sql, type SQLWrapper } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import { AssignmentType } from '#proto/gen/hiber/assignment_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { parserDevice, parserTag } from '#server/db/schema/parser.ts';
import { processPointDevice, processPointTag } from '#server/db/schema/process-point.ts';
import { deviceScope } from '#server/domains/fleet/device/model/where.ts';
import { changeTags } from '#server/domains/fleet/device/update-tags.ts';
import type { ItemTag } from '#server/domains/fleet/tag/item-tags.ts';
import type { Scope } from '#server/session/scope.ts';
import { failedPrecondition, invalidArgument, summarizeList } from '#server/wire/errors.ts';

import { recordLinkEvents } from './events.ts';
import type { LinkedParser } from './items.ts';
import type { Link } from './link.ts';
import { type Period, planPeriod } from './periods.ts';
import { linksBetween, loadLinks } from './query.ts';

/** The two sides of a change: every item on one side is linked with every item on the other. */
export type Sides =
  | {
      readonly type: typeof AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_MODEM;
      parsers: LinkedParser[];
      numbers: string[];
    }
  | {
      readonly type: typeof AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_TAG;
      parsers: LinkedParser[];
      tags: ItemTag[];
    }
  | { readonly type: typeof AssignmentType.ASSIGNS_MODEM_TO_TAG; numbers: string[]; tags: ItemTag[] }
  | { readonly type: typeof AssignmentType.ASSIGNS_PROCESS_POINT_TO_TAG; points: NamedPoint[]; tags: ItemTag[] }
  | { readonly type: typeof AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE; points: NamedPoint[]; numbers: string[] };

interface NamedPoint {
  readonly identifier: string;
  readonly name: string;
}

/** The maximum number of links that one call changes. */
const MAX_LINKS = 10_000;

/** When new assignments begin and end, and what may happen to those that they conflict with. */
export interface AssignOptions extends Period {
  readonly now: Date;
  /** Ends conflicting assignments. */
  readonly override?: boolean;
  /** Deletes conflicting assignments of which nothing would be left. */
  readonly allowDelete?: boolean;
}

/**
 * Assigns the items of one side to those of the other. What is already assigned stays as it is.
 *
 * @returns all links between the items, and those that are new
 */
export async function assignItems(
  tx: Tx,
  caller: Scope,
  sides: Sides,
  options: AssignOptions,
): Promise<{ readonly links: readonly Link[]; readonly created: readonly Link[] }> {
  requireFewLinks(sides);
  if (sides.type === AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE) return assignPeriods(tx, caller, sides, options);
  if (options.until !== null) {
    throw invalidArgument(
      'Only an assignment of a device to a process point can end in the past: others keep no history.',
    );
  }
  const keys = await insertLinks(tx, caller.organization, sides, options);
  const links = await findLinks(tx, caller, sides);
  const created = links.filter((link) => keys.has(keyOf(link)));
  await recordLinkEvents(
    tx,
    created.map((link) => ({ link, began: true })),
    options.now,
  );
  return { links, created };
}

/**
 * Ends the current assignments between the items at a time in the past, or now.
 *
 * @returns the links that ended
 */
export async function unassignItems(
  tx: Tx,
  caller: Scope,
  sides: Sides,
  { now, at }: { readonly now: Date; readonly at: Date },
): Promise<Link[]> {
  requireFewLinks(sides);
  if (sides.type !== AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE) return deleteItems(tx, caller, sides, now, at);
  const current = (await findLinks(tx, caller, sides)).filter(({ until }) => until === null);
  const later = current.find(({ since }) => since >= at);
  if (later !== undefined) {
    throw failedPrecondition(
      `${describePeriod(later, sides.points)}, so it cannot end at ${at.toISOString()}. Delete the assignment instead.`,
    );
  }
  const ended = current.map((link) => ({ ...link, until: at }));
  await endPeriods(tx, ended);
  await recordLinkEvents(
    tx,
    ended.map((link) => ({ link, began: false })),
    now,
  );
  return ended;
}

/**
 * Deletes the assignments between the items, with their history.
 *
 * @param until the end of the links as the response presents them; absent for the stored one
 */
export async function deleteItems(tx: Tx, caller: Scope, sides: Sides, now: Date, until?: Date): Promise<Link[]> {
  requireFewLinks(sides);
  const stored = await findLinks(tx, caller, sides);
  const links = until === undefined ? stored : stored.map((link) => ({ ...link, until }));
  if (sides.type === AssignmentType.ASSIGNS_MODEM_TO_TAG) {
    await changeTags(tx, caller.organization, sides.numbers, { add: [], remove: sides.tags }, now);
  } else {
    await deleteLinks(tx, sides.type, links);
  }
  await recordLinkEvents(
    tx,
    links.map((link) => ({ link, began: false })),
    now,
  );
  return links;
}

function requireFewLinks(sides: Sides): void {
  const sizes = [
    'parsers' in sides ? sides.parsers.length : 1,
    'numbers' in sides ? sides.numbers.length : 1,
    'tags' in sides ? sides.tags.length : 1,
    'points' in sides ? sides.points.length : 1,
  ];
  const count = sizes.reduce((product, size) => product * size, 1);
  if (count > MAX_LINKS) {
    throw invalidArgument(`This selects ${count} assignments; a call can change at most ${MAX_LINKS}.`);
  }
}

/** Returns the stored links between the items, including those that ended. */
function findLinks(tx: Tx, caller: Scope, sides: Sides): Promise<Link[]> {
  const items = {
    ...('parsers' in sides ? { parser: sides.parsers.map(({ identifier }) => identifier) } : {}),
    ...('numbers' in sides ? { number: sides.numbers } : {}),
    ...('tags' in sides ? { tag: sides.tags.map(({ id }) => id) } : {}),
    ...('points' in sides ? { point: sides.points.map(({ identifier }) => identifier) } : {}),
  };
  return loadLinks(
    tx,
    linksBetween(deviceScope(caller), sides.type, items),
    sql`order by number, tag, point, parser, since`,
  );
}

const keyOf = ({ number, tag, point, parser }: Pick<Link, 'number' | 'tag' | 'point' | 'parser'>): string =>
  JSON.stringify([number, tag, point, parser]);

type SimpleSides = Exclude<Sides, { type: typeof AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE }>;

/** Inserts the links that do not exist yet, and returns their keys. */
async function insertLinks(
  tx: Tx,
  organization: string,
  sides: SimpleSides,
  { now, since }: AssignOptions,
): Promise<ReadonlySet<string>> {
  if (sides.type === AssignmentType.ASSIGNS_MODEM_TO_TAG) {
    const change = { add: sides.tags, remove: [] };
    const { added } = await changeTags(tx, organization, sides.numbers, change, now, since);
    return new Set(added.map(({ number, tag }) => keyOf({ number, tag, point: null, parser: null })));
  }
  const started = sql`${since.toISOString()}::timestamptz`;
  const tags = 'tags' in sides ? sql`unnest(${sql.param(sides.tags.map(({ id }) => id))}::bigint[]) as tag` : sql``;
  const run = async (statement: SQL) => {
    const { rows } = await tx.execute<Partial<Record<'number' | 'tag' | 'point' | 'parser', string>>>(statement);
    return new Set(
      rows.map(({ number = null, tag, point = null, parser = null }) =>
        keyOf({ number, tag: tag === undefined ? null : Number(tag), point, parser }),
      ),
    );
  };
  if (sides.type === AssignmentType.ASSIGNS_PROCESS_POINT_TO_TAG) {
    const points = sql.param(sides.points.map(({ identifier }) => identifier));
    return run(sql`
      insert into ${processPointTag} (organization, point, tag, since)
      select ${organization}, point, tag, ${started} from unnest(${points}::text[]) as point cross join ${tags}
      on conflict do nothing returning point, tag`);
  }
  const parsers = sql`unnest(${sql.param(sides.parsers.map(({ identifier }) => identifier))}::text[],
    ${sql.param(sides.parsers.map(({ owner }) => owner))}::text[]) as assigned (parser, owner)`;
  if (sides.type === AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_TAG) {
    return run(sql`
      insert into ${parserTag} (organization, tag, parser, owner, since)
      select ${organization}, tag, parser, owner, ${started} from ${tags} cross join ${parsers}
      on conflict do nothing returning tag, parser`);
  }
  return run(sql`
    insert into ${parserDevice} (organization, number, parser, owner, since)
    select ${organization}, number, parser, owner, ${started}
      from unnest(${sql.param(sides.numbers)}::text[]) as number cross join ${parsers}
    on conflict do nothing returning number, parser`);
}

async function deleteLinks(
  tx: Tx,
  type: Exclude<Sides['type'], typeof AssignmentType.ASSIGNS_MODEM_TO_TAG>,
  links: readonly Link[],
): Promise<void> {
  const [first] = links;
  if (first === undefined) return;
  const column = <T>(value: (link: Link) => T) => sql.param(links.map(value));
  const rows = sql`unnest(${column(({ number }) => number)}::text[], ${column(({ tag }) => tag)}::bigint[],
    ${column(({ point }) => point)}::text[], ${column(({ parser }) => parser)}::text[],
    ${column(({ since }) => since.toISOString())}::timestamptz[]) as deleted (number, tag, point, parser, since)`;
  const [table, match] = {
    [AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_MODEM]: [
      parserDevice,
      sql`link.number = deleted.number and link.parser = deleted.parser`,
    ],
    [AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_TAG]: [
      parserTag,
      sql`link.tag = deleted.tag and link.parser = deleted.parser`,
    ],
    [AssignmentType.ASSIGNS_PROCESS_POINT_TO_TAG]: [
      processPointTag,
      sql`link.point = deleted.point and link.tag = deleted.tag`,
    ],
    [AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE]: [
      processPointDevice,
      sql`link.point = deleted.point and link.number = deleted.number and link.since = deleted.since`,
    ],
  }[type] as [SQLWrapper, SQL];
  await tx.execute(
    sql`delete from ${table} as link using ${rows} where link.organization = ${first.organization} and ${match}`,
  );
}

type PeriodSides = Extract<Sides, { type: typeof AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE }>;

async function assignPeriods(tx: Tx, caller: Scope, sides: PeriodSides, options: AssignOptions) {
  const stored = groupBy(await findLinks(tx, caller, sides), ({ point, number }) => `${point}/${number}`);
  const wanted = { since: options.since, until: options.until, sharedFields: options.sharedFields };
  const [links, created, ended, deleted]: [Link[], Link[], Link[], Link[]] = [[], [], [], []];
  for (const { identifier: point } of sides.points) {
    for (const number of sides.numbers) {
      const plan = planPeriod(stored.get(`${point}/${number}`) ?? [], wanted);
      if ('existing' in plan) {
        links.push(plan.existing);
        continue;
      }
      ended.push(...plan.ended);
      deleted.push(...plan.deleted);
      const link = { organization: caller.organization, number, point, tag: null, parser: null, owner: null };
      created.push({ ...link, type: sides.type, ...wanted });
    }
  }
  links.push(...created);
  requireOverride(sides.points, options, ended, deleted);
  await deleteLinks(tx, sides.type, deleted);
  const shortened = ended.map((link) => ({ ...link, until: options.since }));
  await endPeriods(tx, shortened);
  await insertPeriods(tx, created);
  await recordLinkEvents(
    tx,
    [
      ...[...shortened, ...deleted].map((link) => ({ link, began: false })),
      ...created.map((link) => ({ link, began: true })),
    ],
    options.now,
  );
  return { links, created };
}

/** Refuses to end or delete conflicting assignments that the request does not allow to. */
function requireOverride(
  points: readonly NamedPoint[],
  { since, override = false, allowDelete = false }: AssignOptions,
  ended: readonly Link[],
  deleted: readonly Link[],
): void {
  if (ended.length + deleted.length === 0) return;
  const list = (links: readonly Link[]) => summarizeList(links.map((link) => describePeriod(link, points)));
  if (!override) {
    const effects = [
      ...(ended.length > 0 ? [`end ${countOf(ended)} at ${since.toISOString()}`] : []),
      ...(deleted.length > 0 ? [`delete ${countOf(deleted)}`] : []),
    ];
    throw failedPrecondition(
      `${list([...ended, ...deleted])}. To ${effects.join(' and ')}, set override_conflicting_assignments${
        deleted.length > 0 ? ' and override_conflicting_assignments_allow_delete' : ''
      }.`,
    );
  }
  if (deleted.length > 0 && !allowDelete) {
    throw failedPrecondition(
      `${list(deleted)}. Nothing would be left of ${countOf(deleted)}. To delete ${
        deleted.length === 1 ? 'it' : 'them'
      }, set override_conflicting_assignments_allow_delete.`,
    );
  }
}

const countOf = (links: readonly Link[]): string =>
  links.length === 1 ? 'this assignment' : `these ${links.length} assignments`;

function describePeriod({ number, point, since, until }: Link, points: readonly NamedPoint[]): string {
  const name = points.find(({ identifier }) => identifier === point)?.name ?? point;
  return until === null
    ? `Device ${number} measures "${name}" since ${since.toISOString()}`
    : `Device ${number} measured "${name}" from ${since.toISOString()} to ${until.toISOString()}`;
}

/** Stores the ends of periods. */
async function endPeriods(tx: Tx, links: readonly Link[]): Promise<void> {
  const [first] = links;
  if (first === undefined) return;
  const column = <T>(value: (link: Link) => T) => sql.param(links.map(value));
  await tx.execute(sql`
    update ${processPointDevice} as link set until = ended.until
      from unnest(${column(({ point }) => point)}::text[], ${column(({ number }) => number)}::text[],
        ${column(({ since }) => since.toISOString())}::timestamptz[],
        ${column(({ until }) => until?.toISOString())}::timestamptz[]) as ended (point, number, since, until)
     where link.organization = ${first.organization} and link.point = ended.point and link.number = ended.number
       and link.since = ended.since`);
}

async function insertPeriods(tx: Tx, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return;
  const [first] = links;
  const column = <T>(value: (link: Link) => T) => sql.param(links.map(value));
  const until = first?.until ? sql`${first.until.toISOString()}::timestamptz` : sql`null`;
  // All have the same start, end and fields.
  await tx.execute(sql`
    insert into ${processPointDevice} (organization, point, number, since, until, shared_fields)
    select ${first?.organization}, point, number, ${first?.since.toISOString()}::timestamptz, ${until},
           ${sql.param([...(first?.sharedFields ?? [])])}::text[]
      from unnest(${column(({ point }) => point)}::text[], ${column(({ number }) => number)}::text[])
        as created (point, number)`);
}
