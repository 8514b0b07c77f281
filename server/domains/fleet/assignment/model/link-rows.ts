/** Reads, inserts, and deletes the rows of assignments. */
import { type SQL, sql, type SQLWrapper } from 'drizzle-orm';

import { AssignmentType } from '#proto/gen/hiber/assignment_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { parserDevice, parserTag } from '#server/db/schema/parser.ts';
import { processPointDevice, processPointTag } from '#server/db/schema/process-point.ts';
import { deviceScope } from '#server/domains/fleet/device/model/where.ts';
import { changeTags } from '#server/domains/fleet/device/update-tags.ts';
import type { ItemTag } from '#server/domains/fleet/tag/item-tags.ts';
import type { Scope } from '#server/session/scope.ts';

import type { LinkedParser } from './items.ts';
import type { Link } from './link.ts';
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

export interface NamedPoint {
  readonly identifier: string;
  readonly name: string;
}

/** Returns the stored links between the items, including those that have ended. */
export function findLinks(tx: Tx, caller: Scope, sides: Sides): Promise<Link[]> {
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

export const keyOf = ({ number, tag, point, parser }: Pick<Link, 'number' | 'tag' | 'point' | 'parser'>): string =>
  JSON.stringify([number, tag, point, parser]);

type SimpleSides = Exclude<Sides, { type: typeof AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE }>;

/** Inserts the links that don't exist yet, and returns their keys. */
export async function insertLinks(
  tx: Tx,
  organization: string,
  sides: SimpleSides,
  { now, since }: { readonly now: Date; readonly since: Date },
): Promise<ReadonlySet<string>> {
  if (sides.type === AssignmentType.ASSIGNS_MODEM_TO_TAG) {
    const change = { add: sides.tags, remove: [] };
    const { added } = await changeTags(tx, organization, sides.numbers, change, now, since);
    return new Set(added.map(({ number, tag }) => keyOf({ number, tag, point: null, parser: null })));
  }
  const startTime = sql`${since.toISOString()}::timestamptz`;
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
      select ${organization}, point, tag, ${startTime} from unnest(${points}::text[]) as point cross join ${tags}
      on conflict do nothing returning point, tag`);
  }
  const parsers = sql`unnest(${sql.param(sides.parsers.map(({ identifier }) => identifier))}::text[],
    ${sql.param(sides.parsers.map(({ owner }) => owner))}::text[]) as assigned (parser, owner)`;
  if (sides.type === AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_TAG) {
    return run(sql`
      insert into ${parserTag} (organization, tag, parser, owner, since)
      select ${organization}, tag, parser, owner, ${startTime} from ${tags} cross join ${parsers}
      on conflict do nothing returning tag, parser`);
  }
  return run(sql`
    insert into ${parserDevice} (organization, number, parser, owner, since)
    select ${organization}, number, parser, owner, ${startTime}
      from unnest(${sql.param(sides.numbers)}::text[]) as number cross join ${parsers}
    on conflict do nothing returning number, parser`);
}

export async function deleteLinks(
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
