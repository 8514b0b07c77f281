/** Assigns devices to process points for periods, which may end or delete other periods. */
import { sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import type { AssignmentType } from '#proto/gen/hiber/assignment_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { processPointDevice } from '#server/db/schema/process-point.ts';
import type { Scope } from '#server/session/scope.ts';
import { failedPrecondition, summarizeList } from '#server/wire/errors.ts';

import { recordLinkEvents } from './events.ts';
import { deleteLinks, findLinks, type NamedPoint, type Sides } from './link-rows.ts';
import type { Link } from './link.ts';
import { type Period, planPeriod } from './periods.ts';

/** When new assignments begin and end, and what may happen to conflicting ones. */
export interface AssignOptions extends Period {
  readonly now: Date;
  /** Ends conflicting assignments. */
  readonly override?: boolean;
  /** Deletes conflicting assignments that would begin after the new one. */
  readonly allowDelete?: boolean;
}

type PeriodSides = Extract<Sides, { type: typeof AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE }>;

/** Assigns the devices to the points. See `assignItems`. */
export async function assignPeriods(tx: Tx, caller: Scope, sides: PeriodSides, options: AssignOptions) {
  const storedLinks = groupBy(await findLinks(tx, caller, sides), ({ point, number }) => `${point}/${number}`);
  const wanted = { since: options.since, until: options.until, sharedFields: options.sharedFields };
  const [links, created, ended, deleted]: [Link[], Link[], Link[], Link[]] = [[], [], [], []];
  for (const { identifier: point } of sides.points) {
    for (const number of sides.numbers) {
      const plan = planPeriod(storedLinks.get(`${point}/${number}`) ?? [], wanted);
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

/** Throws if conflicting assignments would end or be deleted without the request allowing it. */
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
      `${list(deleted)}. The new assignment would replace all of ${countOf(deleted)}. To delete ${
        deleted.length === 1 ? 'it' : 'them'
      }, set override_conflicting_assignments_allow_delete.`,
    );
  }
}

const countOf = (links: readonly Link[]): string =>
  links.length === 1 ? 'this assignment' : `these ${links.length} assignments`;

export function describePeriod({ number, point, since, until }: Link, points: readonly NamedPoint[]): string {
  const name = points.find(({ identifier }) => identifier === point)?.name ?? point;
  return until === null
    ? `Device ${number} has measured "${name}" since ${since.toISOString()}`
    : `Device ${number} measured "${name}" from ${since.toISOString()} to ${until.toISOString()}`;
}

/** Stores the ends of periods. */
export async function endPeriods(tx: Tx, links: readonly Link[]): Promise<void> {
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
  // All have the same start, end, and fields.
  await tx.execute(sql`
    insert into ${processPointDevice} (organization, point, number, since, until, shared_fields)
    select ${first?.organization}, point, number, ${first?.since.toISOString()}::timestamptz, ${until},
           ${sql.param([...(first?.sharedFields ?? [])])}::text[]
      from unnest(${column(({ point }) => point)}::text[], ${column(({ number }) => number)}::text[])
        as created (point, number)`);
}
