/** Assignments grouped by the items on one side. */
import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { and, eq, type SQL, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import {
  type AssignmentSelection,
  AssignmentType,
  type AssignmentService,
  ListAlarmAssignments_RequestSchema,
  ListAlarmAssignments_ResponseSchema,
  ListAssetAssignments_RequestSchema,
  ListAssetAssignments_ResponseSchema,
  ListModemAssignments_RequestSchema,
  ListModemAssignments_ResponseSchema,
  ListModemMessageBodyParserAssignments_RequestSchema,
  ListModemMessageBodyParserAssignments_ResponseSchema,
  ListProcessPointAssignments_RequestSchema,
  ListProcessPointAssignments_ResponseSchema,
  ListTagAssignments_RequestSchema,
  ListTagAssignments_ResponseSchema,
} from '#proto/gen/hiber/assignment_pb.ts';
import type { Pagination } from '#proto/gen/hiber/base_pb.ts';
import type { Filter_ChildOrganizations } from '#proto/gen/hiber/filter_pb.ts';
import type { ModemMessageBodyParser } from '#proto/gen/hiber/parser_pb.ts';
import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { parser } from '#server/db/schema/parser.ts';
import { processPoint } from '#server/db/schema/process-point.ts';
import { tag } from '#server/db/schema/tag.ts';
import { parserWhere, usableBy, withFields } from '#server/domains/data/parser/model/find.ts';
import { presentParser } from '#server/domains/data/parser/model/present.ts';
import { readModemCriteria } from '#server/domains/fleet/device/model/criteria.ts';
import { tagWhere } from '#server/domains/fleet/device/model/tag-selection.ts';
import { type DeviceScope, deviceWhere, tagScope } from '#server/domains/fleet/device/model/where.ts';
import { withChildren } from '#server/domains/fleet/device/organizations.ts';
import { pointWhere } from '#server/domains/fleet/process-point/model/where.ts';
import { presentTags } from '#server/events/new-event.ts';
import { type Scope, scope } from '#server/session/scope.ts';
import { effectivePagination, readPage, paginationResult } from '#server/wire/pagination.ts';

import { type Link, type LinkedItems, loadLinkedItems, presentLinkedParser, tagOfLink } from './model/link.ts';
import { linksQuery, loadLinks } from './model/query.ts';
import { type Side, createSideConditions } from './model/side-conditions.ts';

type Grouped = Pick<
  ServiceImpl<typeof AssignmentService>,
  | 'assetAssignments'
  | 'processPointAssignments'
  | 'modemAssignments'
  | 'tagAssignments'
  | 'alarmAssignments'
  | 'modemMessageBodyParserAssignments'
>;

export function groupedAssignments(app: App): Grouped {
  const loadPage = (caller: Scope, side: Side, request: GroupRequest) => loadGroups(app, caller, side, request);
  return {
    /** The former name of process point assignments. */
    async assetAssignments(request, context) {
      const caller = scope(context);
      const groups = await loadPage(caller, 'point', {
        ...request,
        withoutAssignments: request.includeAssetsWithoutAssignments,
      });
      return create(ListAssetAssignments_ResponseSchema, {
        assets: groups.list.map(({ key, ...group }) => ({ assetIdentifier: key, ...pointRow(group) })),
        request: create(ListAssetAssignments_RequestSchema, { ...request, ...groups.echo }),
        pagination: groups.pagination,
      });
    },

    async processPointAssignments(request, context) {
      const caller = scope(context);
      if (request.includeAlarmDetails) caller.require('MODEMS_ALARMS');
      const groups = await loadPage(caller, 'point', {
        ...request,
        withoutAssignments: request.includeProcessPointsWithoutAssignments,
      });
      return create(ListProcessPointAssignments_ResponseSchema, {
        processPoints: groups.list.map(({ key, ...group }) => ({ processPointIdentifier: key, ...pointRow(group) })),
        request: create(ListProcessPointAssignments_RequestSchema, { ...request, ...groups.echo }),
        pagination: groups.pagination,
      });
    },

    async modemAssignments(request, context) {
      const caller = scope(context);
      if (request.includeAlarmDetails) caller.require('MODEMS_ALARMS');
      const groups = await loadPage(caller, 'number', {
        ...request,
        withoutAssignments: request.includeModemsWithoutAssignments,
      });
      const details = await loadParserDetails(app.db.orm, caller, groups.list, request);
      return create(ListModemAssignments_ResponseSchema, {
        modems: groups.list.map(({ key, organization, links, items }) => ({
          organization,
          modemNumber: key,
          messageBodyParsers: presentParsers(links, items),
          messageBodyParserDetails: details(links),
          tags: presentLinkedTags(links, items),
          ...presentPoints(links, items),
        })),
        request: create(ListModemAssignments_RequestSchema, { ...request, ...groups.echo }),
        pagination: groups.pagination,
      });
    },

    async tagAssignments(request, context) {
      const caller = scope(context);
      if (request.includeAlarmDetails) caller.require('MODEMS_ALARMS');
      const groups = await loadPage(caller, 'tag', {
        ...request,
        withoutAssignments: request.includeTagsWithoutAssignments,
      });
      const details = await loadParserDetails(app.db.orm, caller, groups.list, request);
      const rows = await app.db.orm
        .select({ id: tag.id, name: tag.name, type: tag.type, priority: tag.priority })
        .from(tag)
        .where(
          and(
            eq(tag.organization, caller.organization),
            anyOf(
              tag.id,
              groups.list.map(({ key }) => Number(key)),
            ),
          ),
        );
      const tagById = new Map(rows.map((row) => [String(row.id), row]));
      return create(ListTagAssignments_ResponseSchema, {
        tags: groups.list.map(({ key, organization, links, items }) => ({
          organization,
          tag: presentTags([tagById.get(key)].filter((row) => row !== undefined))[0],
          modems: numbersOf(links),
          messageBodyParsers: presentParsers(links, items),
          messageBodyParserDetails: details(links),
          ...presentPoints(links, items),
        })),
        request: create(ListTagAssignments_RequestSchema, { ...request, ...groups.echo }),
        pagination: groups.pagination,
      });
    },

    /** This server has no alarms yet. */
    async alarmAssignments(request, context) {
      const { organization } = scope(context);
      const requestedPage = readPage(request.pagination);
      return create(ListAlarmAssignments_ResponseSchema, {
        request: create(ListAlarmAssignments_RequestSchema, {
          ...request,
          organization,
          pagination: effectivePagination(requestedPage),
        }),
        pagination: paginationResult(requestedPage, 0),
      });
    },

    async modemMessageBodyParserAssignments(request, context) {
      const caller = scope(context);
      const groups = await loadPage(caller, 'parser', {
        ...request,
        childOrganizations: request.includeChildOrganizations,
        withoutAssignments: request.includeParserWithoutAssignments,
      });
      const parsers = await loadParsers(
        app.db.orm,
        caller,
        groups.list.map(({ key }) => key),
        { excludeContent: true },
      );
      return create(ListModemMessageBodyParserAssignments_ResponseSchema, {
        parsers: groups.list.map(({ key, organization, links, items }) => ({
          organization,
          messageBodyParser: parsers.get(key),
          modems: numbersOf(links),
          tags: presentLinkedTags(links, items),
        })),
        request: create(ListModemMessageBodyParserAssignments_RequestSchema, { ...request, ...groups.echo }),
        pagination: groups.pagination,
      });
    },
  };
}

interface GroupRequest {
  readonly selection?: AssignmentSelection | undefined;
  readonly pagination?: Pagination | undefined;
  readonly childOrganizations?: Filter_ChildOrganizations | undefined;
  /** Includes selected items without assignments. */
  readonly withoutAssignments?: boolean | undefined;
}

/** The current assignments of one item. */
interface Group {
  readonly key: string;
  readonly organization: string;
  readonly links: readonly Link[];
  readonly items: LinkedItems;
}

/**
 * Loads a page of items in the order of their keys (not specified in the contract), each with its current assignments.
 */
async function loadGroups(app: App, caller: Scope, side: Side, request: GroupRequest) {
  const { orm } = app.db;
  const now = app.now();
  const scope = await withChildren(orm, caller, request.childOrganizations);
  const conditions = await createSideConditions(orm, scope, request.selection, now);
  const links = linksQuery(scope, conditions, { types: request.selection?.types });
  const column = sql.identifier(side);
  const withLinks = sql`select ${column} as key from (${links}) as link where ${column} is not null`;
  const keys = request.withoutAssignments ? itemKeys(side, scope, request.selection, now) : withLinks;
  const requestedPage = readPage(request.pagination);
  const { rows } = await orm.execute<{ key: string }>(sql`
    select key::text as key from (${keys}) as item group by item.key order by item.key
     limit ${requestedPage.limit} offset ${requestedPage.offset}`);
  const countResult = await orm.execute<{ total: number }>(
    sql`select count(distinct key)::int as total from (${keys}) as item`,
  );
  const pageKeys = rows.map(({ key }) => key);
  const loadedLinks = await loadLinks(
    orm,
    links,
    sql`where ${column}::text = any(${sql.param(pageKeys)}::text[]) order by number, tag, point, parser`,
  );
  const items = await loadLinkedItems(orm, loadedLinks);
  const byKey = groupBy(loadedLinks, (link) => String(link[side]));
  return {
    list: pageKeys.map((key): Group => ({
      key,
      organization: caller.organization,
      links: byKey.get(key) ?? [],
      items,
    })),
    echo: { organization: caller.organization, pagination: effectivePagination(requestedPage) },
    pagination: paginationResult(requestedPage, countResult.rows[0]?.total ?? 0),
  };
}

/** Selects the keys of all selected items on a side. */
function itemKeys(side: Side, scope: DeviceScope, selection: AssignmentSelection | undefined, now: Date): SQL {
  switch (side) {
    case 'number': {
      const where = deviceWhere(scope, readModemCriteria(selection?.modems, now));
      return sql`select ${device.number} as key from ${device} where ${where}`;
    }
    case 'tag': {
      const where = and(eq(tag.organization, scope.home), tagWhere(tagScope(scope), selection?.tags));
      return sql`select ${tag.id} as key from ${tag} where ${where}`;
    }
    case 'point': {
      const where = pointWhere(scope, selection?.processPoints);
      return sql`select ${processPoint.identifier} as key from ${processPoint} where ${where}`;
    }
    case 'parser': {
      const where = parserWhere(scope.home, selection?.modemMessageBodyParsers);
      return sql`select ${parser.identifier} as key from ${parser} where ${where}`;
    }
  }
}

const pointRow = ({ organization, links, items }: Omit<Group, 'key'>) => ({
  organization,
  devices: numbersOf(links),
  tags: presentLinkedTags(links, items),
});

const numbersOf = (links: readonly Link[]): string[] => [...new Set(links.flatMap(({ number }) => number ?? []))];

const presentLinkedTags = (links: readonly Link[], items: LinkedItems) =>
  presentTags(links.map((link) => tagOfLink(link, items)).filter((item) => item !== undefined));

const parserTypes: readonly AssignmentType[] = [
  AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_MODEM,
  AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_TAG,
];

const presentParsers = (links: readonly Link[], items: LinkedItems) =>
  links.filter(({ type }) => parserTypes.includes(type)).map((link) => presentLinkedParser(link, items));

function presentPoints(links: readonly Link[], { points }: LinkedItems) {
  const identifiers = [...new Set(links.flatMap(({ point }) => point ?? []))];
  return {
    processPointIdentifiers: identifiers,
    processPoints: identifiers.map((identifier) => ({ identifier, name: points.get(identifier) ?? '' })),
  };
}

interface ParserOptions {
  readonly includeMessageBodyParserDetails?: boolean | undefined;
  readonly includeMessageBodyParserContent?: boolean | undefined;
}

/** Loads a function that presents the parsers of links. It returns none unless the request includes the details. */
async function loadParserDetails(
  db: Executor,
  caller: Scope,
  groups: readonly Group[],
  { includeMessageBodyParserDetails, includeMessageBodyParserContent }: ParserOptions,
): Promise<(links: readonly Link[]) => ModemMessageBodyParser[]> {
  if (!includeMessageBodyParserDetails) return () => [];
  caller.require('MODEMS_MESSAGE_BODY_PARSERS');
  const identifiers = groups.flatMap(({ links }) => links.flatMap((link) => link.parser ?? []));
  const parsers = await loadParsers(db, caller, identifiers, { excludeContent: !includeMessageBodyParserContent });
  return (links) => links.flatMap((link) => parsers.get(link.parser ?? '') ?? []);
}

async function loadParsers(
  db: Executor,
  { organization }: Scope,
  identifiers: readonly string[],
  options: { readonly excludeContent: boolean },
): Promise<Map<string, ModemMessageBodyParser>> {
  const rows = await db
    .select()
    .from(parser)
    .where(and(usableBy(organization), anyOf(parser.identifier, [...new Set(identifiers)])));
  const parsers = await withFields(db, rows);
  return new Map(parsers.map((listed) => [listed.row.identifier, presentParser(listed, organization, options)]));
}
