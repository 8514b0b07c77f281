import { Code, ConnectError } from '@connectrpc/connect';
import {
  and,
  arrayContains,
  asc,
  eq,
  exists,
  ilike,
  inArray,
  isNotNull,
  isNull,
  not,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import type { ModemMessageBodyParserSelection } from '#proto/gen/hiber/parser_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { organization } from '#server/db/schema/organization.ts';
import { parser, parserField } from '#server/db/schema/parser.ts';
import { notFound, describeMissing } from '#server/wire/errors.ts';
import { substringPattern } from '#server/wire/text.ts';

import type { FieldRow, ParserRow } from './fields.ts';

/** A parser with its fields, and its owner's display name. */
export interface ListedParser {
  readonly row: ParserRow;
  readonly owner: string;
  readonly fields: readonly FieldRow[];
}

/**
 * True for parsers that an organization may use: its own, and those that an ancestor made available to it. Exclusion
 * overrides inclusion (contract: Filter.ChildOrganizations).
 */
export const usableBy = (id: string): SQL | undefined => or(eq(parser.organization, id), inheritedBy(id));

/** True for parsers that an ancestor made available to an organization. */
export function inheritedBy(id: string): SQL | undefined {
  const slugs = [id];
  return and(
    // Ancestors are few, so start with the key of `parser`.
    sql`${parser.organization} in (select unnest(${organization.path}) from ${organization} where ${organization.id} = ${id})`,
    or(eq(parser.availableToAll, true), arrayContains(parser.availableTo, slugs)),
    not(arrayContains(parser.unavailableTo, slugs)),
  );
}

/** Combines the criteria with AND. Text matches anywhere, ignoring case. */
export function parserWhere(id: string, selection: ModemMessageBodyParserSelection | undefined): SQL | undefined {
  const { search, onlySimple, onlyKsyFile, onlyOwnedParsers, ownerOrganizations, identifiers, hasDataFields } =
    selection ?? { ownerOrganizations: [], identifiers: [], hasDataFields: [] };
  return and(
    onlyOwnedParsers ? eq(parser.organization, id) : usableBy(id),
    onlySimple ? isNotNull(parser.simple) : undefined,
    onlyKsyFile ? isNull(parser.simple) : undefined,
    ownerOrganizations.length > 0 ? anyOf(parser.organization, ownerOrganizations) : undefined,
    identifiers.length > 0 ? anyOf(parser.identifier, identifiers) : undefined,
    hasDataFields.length > 0 ? fieldExists(anyOf(parserField.field, hasDataFields)) : undefined,
    ...(search ?? '').split(/\s+/).filter(Boolean).map(matchesWord),
  );
}

/** Matches a word in the name, the source, the simple definition, or a declared field. */
function matchesWord(word: string): SQL | undefined {
  const pattern = substringPattern(word);
  return or(
    ilike(parser.name, pattern),
    eq(parser.identifier, word),
    ilike(parser.definition, pattern),
    sql`${parser.simple}::text ilike ${pattern}`,
    fieldExists(or(ilike(parserField.field, pattern), ilike(parserField.displayName, pattern))),
  );
}

const fieldExists = (condition: SQL | undefined): SQL =>
  exists(
    sql`(select 1 from ${parserField} where ${and(
      eq(parserField.organization, parser.organization),
      eq(parserField.parser, parser.identifier),
      condition,
    )})`,
  );

/** Adds the parsers' fields and owners. */
export async function withFields(db: Executor, rows: readonly ParserRow[]): Promise<ListedParser[]> {
  if (rows.length === 0) return [];
  const owners = [...new Set(rows.map((row) => row.organization))];
  const names = await db
    .select({ id: organization.id, name: organization.displayName })
    .from(organization)
    .where(anyOf(organization.id, owners));
  const nameById = new Map(names.map(({ id, name }) => [id, name]));
  const fields = await db
    .select()
    .from(parserField)
    .where(
      and(
        anyOf(parserField.organization, owners),
        anyOf(
          parserField.parser,
          rows.map(({ identifier }) => identifier),
        ),
      ),
    )
    // Higher priorities first, as for tags (not specified in the contract).
    .orderBy(sql`${parserField.priority} desc`, asc(parserField.field), asc(parserField.identifier));
  const fieldsByParser = groupBy(fields, (field) => field.parser);
  return rows.map((row) => ({
    row,
    owner: nameById.get(row.organization) ?? row.organization,
    fields: fieldsByParser.get(row.identifier) ?? [],
  }));
}

/** Loads a parser that an organization may use. */
export async function requireUsable(db: Executor, id: string, identifier: string): Promise<ListedParser> {
  const rows = await db
    .select()
    .from(parser)
    .where(and(usableBy(id), eq(parser.identifier, identifier)));
  const [listed] = await withFields(db, rows);
  if (listed === undefined) throw parserNotFound(id, [identifier]);
  return listed;
}

/**
 * Locks parsers of the organization, in identifier order, so two calls can't deadlock.
 *
 * @throws ConnectError NOT_FOUND for a parser that it can't see, PERMISSION_DENIED for one that it only uses
 */
export async function lockOwned(tx: Tx, id: string, identifiers: readonly string[]): Promise<ParserRow[]> {
  const requestedIdentifiers = [...new Set(identifiers)];
  const rows = await tx
    .select()
    .from(parser)
    .where(and(eq(parser.organization, id), inArray(parser.identifier, requestedIdentifiers)))
    .orderBy(asc(parser.identifier))
    .for('update');
  const missingIdentifiers = requestedIdentifiers.filter(
    (identifier) => !rows.some((row) => row.identifier === identifier),
  );
  if (missingIdentifiers.length === 0) return rows;
  const inheritedRows = await tx
    .select({ name: parser.name, organization: parser.organization })
    .from(parser)
    .where(and(usableBy(id), anyOf(parser.identifier, missingIdentifiers)));
  const [first] = inheritedRows;
  if (first === undefined) throw parserNotFound(id, missingIdentifiers);
  throw notOwner(first.name, first.organization);
}

export async function lockOwnedParser(tx: Tx, id: string, identifier: string): Promise<ParserRow> {
  const [row] = await lockOwned(tx, id, [identifier]);
  return row as ParserRow;
}

export const notOwner = (name: string, owner: string, verb = 'change it') =>
  new ConnectError(`The parser "${name}" belongs to ${owner}, and only ${owner} can ${verb}.`, Code.PermissionDenied);

export const parserNotFound = (id: string, identifiers: readonly string[]) =>
  notFound(
    `${id} has ${describeMissing(
      'parser',
      identifiers.map((identifier) => `"${identifier}"`),
    )}.`,
  );
