import { and, asc, desc, eq, ilike, inArray, or, type SQL, sql } from 'drizzle-orm';

import { unitOf } from '#commands/units/table.ts';
import { type FieldSelection, ListFields_Sort as Sort } from '#proto/gen/hiber/field_service_pb.ts';
import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import { Value_Numeric_Type, Value_Type } from '#proto/gen/hiber/value_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { parser, parserField } from '#server/db/schema/parser.ts';
import { inheritedBy, usableBy } from '#server/domains/data/parser/model/find.ts';
import { substringPattern } from '#server/wire/text.ts';

/** Joins each field with its parser. */
export const withParser = and(
  eq(parser.organization, parserField.organization),
  eq(parser.identifier, parserField.parser),
);

/** Returns the condition for fields joined with their parsers, whose index has the order of a page. */
export function fieldWhere(id: string, selection: FieldSelection | undefined): SQL | undefined {
  return and(selection?.onlyOwned ? eq(parser.organization, id) : usableBy(id), matches(selection));
}

/**
 * Returns the same condition for fields without their parsers, which counts them several times faster. A field has its
 * owner's id, so only the few parsers of ancestors are looked up.
 */
export function fieldWhereWithoutParser(id: string, selection: FieldSelection | undefined): SQL | undefined {
  const isOwn = eq(parserField.organization, id);
  const isInherited = sql`(${parserField.organization}, ${parserField.parser}) in (
    select ${parser.organization}, ${parser.identifier} from ${parser} where ${inheritedBy(id)})`;
  return and(selection?.onlyOwned ? isOwn : or(isOwn, isInherited), matches(selection));
}

/** Combines the criteria with AND. Operational fields are hidden by default (contract: FieldSelection). */
function matches(selection: FieldSelection | undefined): SQL | undefined {
  const { types = [], numericTypes = [], fieldIdentifiers = [], includeOperational, search } = selection ?? {};
  return and(
    includeOperational ? undefined : eq(parserField.operational, false),
    types.length > 0 ? inArray(parserField.type, types) : undefined,
    numericTypes.length > 0 ? inArray(parserField.numericType, numericTypes) : undefined,
    fieldIdentifiers.length > 0 ? anyOf(parserField.identifier, fieldIdentifiers) : undefined,
    ...(search ?? '').split(/\s+/).filter(Boolean).map(matchesWord),
  );
}

/** Matches a word in the path or the display name, or as the whole identifier of the field or its parser. */
function matchesWord(word: string): SQL | undefined {
  const pattern = substringPattern(word);
  return or(
    ilike(parserField.field, pattern),
    ilike(parserField.displayName, pattern),
    ilike(parserField.parser, pattern),
    ilike(parserField.identifier, pattern),
  );
}

const shownName = sql`coalesce(${parserField.displayName}, ${parserField.field})`;

/** Sorts types and units by name because their numbers mean nothing to people. */
const typeName = caseOf(parserField.type, Value_Type);
const numericTypeName = caseOf(parserField.numericType, Value_Numeric_Type);
const unitSymbol = caseOf(
  parserField.unit,
  Object.fromEntries(
    Object.values(UnitOfMeasurement).flatMap((id) => {
      const unit = typeof id === 'number' ? unitOf(id) : undefined;
      return unit === undefined ? [] : [[unit.symbol, id]];
    }),
  ),
);

/** Returns the name that belongs to the number in a column. */
function caseOf(
  column: SQL | typeof parserField.type | typeof parserField.numericType | typeof parserField.unit,
  names: object,
): SQL {
  const branches = Object.entries(names)
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number')
    .map(([name, number]) => sql`when ${sql.raw(String(number))} then ${sql.raw(`'${name}'`)}`);
  return sql`case ${column} ${sql.join(branches, sql` `)} end`;
}

/** Returns the order; the identifier comes last, which keeps paging stable. */
export function fieldOrder(sort: Sort | undefined): SQL[] {
  return [...orderBy(sort), asc(naturalOrder(parser.name)), asc(parserField.field), asc(parserField.identifier)];
}

function orderBy(sort: Sort | undefined): SQL[] {
  switch (sort) {
    case Sort.DISPLAY_NAME:
      return [asc(naturalOrder(shownName))];
    case Sort.DISPLAY_NAME_DESC:
      return [desc(naturalOrder(shownName))];
    case Sort.FIELD_PATH:
      return [asc(naturalOrder(parserField.field))];
    case Sort.FIELD_PATH_DESC:
      return [desc(naturalOrder(parserField.field))];
    case Sort.TYPE:
      return [asc(typeName), sql`${numericTypeName} asc nulls last`];
    case Sort.TYPE_DESC:
      return [desc(typeName), sql`${numericTypeName} desc nulls last`];
    case Sort.UNIT:
      return [sql`${unitSymbol} asc nulls last`];
    case Sort.UNIT_DESC:
      return [sql`${unitSymbol} desc nulls last`];
    default:
      // By parser, then by priority, highest first (not specified in the contract, as for tags).
      return [asc(naturalOrder(parser.name)), asc(parser.identifier), desc(parserField.priority)];
  }
}
