import { create } from '@bufbuild/protobuf';
import { and } from 'drizzle-orm';

import { type Assignment, AssignmentSchema, AssignmentType } from '#proto/gen/hiber/assignment_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { parser } from '#server/db/schema/parser.ts';
import { processPoint } from '#server/db/schema/process-point.ts';
import { tag } from '#server/db/schema/tag.ts';
import { type EventTag, presentTags } from '#server/events/new-event.ts';
import { presentTimestamp } from '#server/wire/present.ts';

/** An assignment as stored. Its type determines which two of the items are set. */
export interface Link {
  readonly organization: string;
  readonly type: AssignmentType;
  /** The device number. */
  readonly number: string | null;
  readonly tag: number | null;
  /** The identifier of the process point. */
  readonly point: string | null;
  readonly parser: string | null;
  /** The organization that owns the parser. */
  readonly owner: string | null;
  readonly since: Date;
  readonly until: Date | null;
  readonly sharedFields: readonly string[];
}

/** The items that links refer to, apart from devices. */
export interface LinkedItems {
  readonly tags: ReadonlyMap<string, EventTag>;
  /** Names by identifier. */
  readonly parsers: ReadonlyMap<string, string>;
  readonly points: ReadonlyMap<string, string>;
}

const keyOf = (organization: string, id: number): string => `${organization}/${id}`;

export async function loadLinkedItems(db: Executor, links: readonly Link[]): Promise<LinkedItems> {
  const organizations = [...new Set(links.map(({ organization }) => organization))];
  const tagIds = [...new Set(links.flatMap((link) => link.tag ?? []))];
  const parserIds = [...new Set(links.flatMap((link) => link.parser ?? []))];
  const pointIds = [...new Set(links.flatMap((link) => link.point ?? []))];
  const tags =
    tagIds.length === 0
      ? []
      : await db
          .select({
            organization: tag.organization,
            id: tag.id,
            name: tag.name,
            type: tag.type,
            priority: tag.priority,
          })
          .from(tag)
          .where(and(anyOf(tag.organization, organizations), anyOf(tag.id, tagIds)));
  const owners = [...new Set(links.flatMap(({ owner }) => owner ?? []))];
  const parsers =
    parserIds.length === 0
      ? []
      : await db
          .select({ identifier: parser.identifier, name: parser.name })
          .from(parser)
          .where(and(anyOf(parser.organization, owners), anyOf(parser.identifier, parserIds)));
  const points =
    pointIds.length === 0
      ? []
      : await db
          .select({ identifier: processPoint.identifier, name: processPoint.name })
          .from(processPoint)
          .where(and(anyOf(processPoint.organization, organizations), anyOf(processPoint.identifier, pointIds)));
  return {
    tags: new Map(tags.map(({ organization, ...item }) => [keyOf(organization, item.id), item])),
    parsers: new Map(parsers.map(({ identifier, name }) => [identifier, name])),
    points: new Map(points.map(({ identifier, name }) => [identifier, name])),
  };
}

export const tagOfLink = ({ organization, tag: id }: Link, { tags }: LinkedItems): EventTag | undefined =>
  id === null ? undefined : tags.get(keyOf(organization, id));

const presentParser = (link: Link, { parsers }: LinkedItems) => ({
  identifier: link.parser ?? '',
  name: parsers.get(link.parser ?? '') ?? '',
  ownerOrganization: link.owner ?? '',
});

/** Presents an assignment. The link between a device and a process point has one form, "process point to device". */
export function presentLink(link: Link, items: LinkedItems): Assignment {
  const [presentedTag] = presentTags([tagOfLink(link, items)].filter((item) => item !== undefined));
  return create(AssignmentSchema, {
    type: link.type,
    assign: presentAssigned(link, items),
    to:
      link.type === AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE ||
      link.type === AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_MODEM
        ? { case: 'toModem', value: link.number ?? '' }
        : presentedTag && { case: 'toTag', value: presentedTag },
    start: presentTimestamp(link.since),
    end: link.until ? presentTimestamp(link.until) : undefined,
    additionalConfiguration:
      link.sharedFields.length === 0
        ? { case: undefined }
        : { case: 'processPointDevice', value: { sharedFields: { fields: [...link.sharedFields] } } },
  });
}

function presentAssigned(link: Link, items: LinkedItems): Assignment['assign'] {
  switch (link.type) {
    case AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE:
    case AssignmentType.ASSIGNS_PROCESS_POINT_TO_TAG:
      return { case: 'assignProcessPoint', value: link.point ?? '' };
    case AssignmentType.ASSIGNS_MODEM_TO_TAG:
      return { case: 'assignModem', value: link.number ?? '' };
    default:
      return { case: 'assignParser', value: presentLinkedParser(link, items) };
  }
}

export const presentLinkedParser = (link: Link, items: LinkedItems) => ({
  $typeName: 'hiber.assign.Assignment.ModemMessageBodyParserAssignment' as const,
  ...presentParser(link, items),
});
