/** Changes a parser's declared fields, for both the parser and the field rpcs. */
import { and, eq } from 'drizzle-orm';

import { pathKey } from '#commands/text/field-path.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { parserField } from '#server/db/schema/parser.ts';
import { alreadyExists, describeMissing, invalidArgument, notFound, summarizeList } from '#server/wire/errors.ts';
import { shorten } from '#server/wire/text.ts';

import { type FieldColumns, MAX_FIELDS, type ParserRow } from './model/fields.ts';

const ofParser = ({ organization, identifier }: ParserRow) =>
  and(eq(parserField.organization, organization), eq(parserField.parser, identifier));

const quotePath = (path: string): string => `"${shorten(path)}"`;

export async function addFields(tx: Tx, row: ParserRow, fields: readonly FieldColumns[]): Promise<void> {
  if (fields.length === 0) return;
  const existing = await tx.select({ field: parserField.field }).from(parserField).where(ofParser(row));
  const paths = new Set(existing.map(({ field }) => pathKey(field)));
  const duplicates = fields.map(({ field }) => field).filter((field) => paths.has(pathKey(field)));
  if (duplicates.length > 0) {
    throw alreadyExists(
      `The parser "${row.name}" already has ${summarizeList(duplicates.map(quotePath))}. Update the field instead.`,
    );
  }
  requireRoom(paths.size + fields.length);
  await tx
    .insert(parserField)
    .values(fields.map((field) => ({ ...field, organization: row.organization, parser: row.identifier })));
}

/** Removes fields by their paths, or by their display names. */
export async function removeFields(tx: Tx, row: ParserRow, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const existing = await tx
    .select({ identifier: parserField.identifier, field: parserField.field, displayName: parserField.displayName })
    .from(parserField)
    .where(ofParser(row));
  const matches = names.map((name) =>
    existing.find(({ field, displayName }) => field === name || displayName === name),
  );
  const missingNames = names.filter((_, index) => matches[index] === undefined);
  if (missingNames.length > 0)
    throw notFound(`The parser "${row.name}" has ${describeMissing('field', missingNames.map(quotePath))}.`);
  const identifiers = matches.flatMap((field) => field?.identifier ?? []);
  await tx.delete(parserField).where(and(ofParser(row), anyOf(parserField.identifier, identifiers)));
}

/** Replaces all fields. A field with the same path keeps its identifier. */
export async function replaceFields(tx: Tx, row: ParserRow, fields: readonly FieldColumns[]): Promise<void> {
  requireRoom(fields.length);
  const removed = await tx
    .delete(parserField)
    .where(ofParser(row))
    .returning({ identifier: parserField.identifier, field: parserField.field });
  const identifiers = new Map(removed.map(({ identifier, field }) => [pathKey(field), identifier]));
  if (fields.length === 0) return;
  await tx.insert(parserField).values(
    fields.map((field) => ({
      ...field,
      identifier: identifiers.get(pathKey(field.field)) ?? field.identifier,
      organization: row.organization,
      parser: row.identifier,
    })),
  );
}

function requireRoom(count: number): void {
  if (count > MAX_FIELDS) {
    throw invalidArgument(`A parser can have at most ${MAX_FIELDS} fields; this would make it ${count}.`);
  }
}
