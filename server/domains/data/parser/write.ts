import { type JsonValue, toJson } from '@bufbuild/protobuf';
import { and, eq, ne } from 'drizzle-orm';

import { MAX_LENGTH } from '#commands/text/lengths.ts';
import {
  type CreateSimpleModemMessageBodyParserRequest,
  type ModemMessageBodyParser,
  type ModemMessageBodyParserSelection,
  type RenameModemMessageBodyParserRequest,
  type SimpleModemMessageBodyParser,
  SimpleModemMessageBodyParserSchema,
  type UpdateSimpleModemMessageBodyParserRequest,
  type UpdateUploadedModemMessageBodyParserRequest,
  type UploadModemMessageBodyParserRequest,
} from '#proto/gen/hiber/parser_pb.ts';
import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { storeNames } from '#server/db/free-names.ts';
import { newIdentifier } from '#server/db/ids.ts';
import { parser, parserDevice, parserTag } from '#server/db/schema/parser.ts';
import { recordEvents } from '#server/events/record.ts';
import { DefinitionError } from '#server/parsing/parsing.ts';
import type { Scope } from '#server/session/scope.ts';
import { readEnteredText } from '#server/wire/entered-text.ts';
import { alreadyExists, failedPrecondition, invalidArgument } from '#server/wire/errors.ts';

import { addFields, removeFields, replaceFields } from './declared.ts';
import { type ParserChange, parserCreated, parserDeleted, parserUpdated } from './events.ts';
import { type ParserRow, readFields } from './model/fields.ts';
import { lockOwned, lockOwnedParser, parserWhere, withFields } from './model/find.ts';
import { readMetadataFields, updateMetadataFields } from './model/metadata-fields.ts';
import { presentParser, storedMetadataFields } from './model/present.ts';
import { generateDefinition } from './simple.ts';

/** Stores an uploaded definition. Declared fields are compared with results when messages are parsed. */
export async function uploadParser(
  app: App,
  caller: Scope,
  request: UploadModemMessageBodyParserRequest,
): Promise<ModemMessageBodyParser> {
  const name = readName(request.name);
  const fields = readFields(request.dataFields);
  const metadataFields = readMetadataFields(request);
  await requireCompilable(app, caller, request.contentKsy);
  return storeNames(app.db, async (tx) => {
    const row = await insertParser(tx, app, caller, { name, definition: request.contentKsy, metadataFields });
    await addFields(tx, row, fields);
    return recordCreated(tx, app, row);
  });
}

export async function createSimpleParser(
  app: App,
  caller: Scope,
  { parser: simpleParser }: CreateSimpleModemMessageBodyParserRequest,
): Promise<ModemMessageBodyParser> {
  const columns = await readSimple(app, caller, simpleParser);
  return storeNames(app.db, async (tx) => recordCreated(tx, app, await insertParser(tx, app, caller, columns)));
}

export async function updateUploadedParser(
  app: App,
  caller: Scope,
  request: UpdateUploadedModemMessageBodyParserRequest,
): Promise<ModemMessageBodyParser> {
  const { contentKsy, metadataFields } = request;
  const name = request.name === undefined ? undefined : readName(request.name);
  const [added, replacement] = [readFields(request.addDataFields), readFields(request.replaceDataFields)];
  if (contentKsy !== undefined) await requireCompilable(app, caller, contentKsy);
  return changeParser(app, caller, request.identifier, async (tx, row) => {
    if (row.simple !== null && contentKsy !== undefined) {
      throw failedPrecondition(
        `"${row.name}" is a simple parser, whose definition is generated. Update its fields instead.`,
      );
    }
    if (replacement.length > 0) await replaceFields(tx, row, replacement);
    await removeFields(tx, row, request.removeDataFields);
    await addFields(tx, row, added);
    const hasFieldChanges = replacement.length + request.removeDataFields.length + added.length > 0;
    return {
      columns: {
        ...(name === undefined ? {} : { name }),
        ...(contentKsy === undefined ? {} : { definition: contentKsy }),
        ...(metadataFields === undefined
          ? {}
          : { metadataFields: updateMetadataFields(storedMetadataFields(row), metadataFields) }),
      },
      change: {
        name,
        contentKsy,
        changed: [
          ...(name === undefined ? [] : ['name']),
          ...(contentKsy === undefined ? [] : ['definition']),
          ...(hasFieldChanges ? ['fields'] : []),
          ...(metadataFields === undefined ? [] : ['metadata fields']),
        ],
      },
    };
  });
}

export async function updateSimpleParser(
  app: App,
  caller: Scope,
  request: UpdateSimpleModemMessageBodyParserRequest,
): Promise<ModemMessageBodyParser> {
  const columns = await readSimple(app, caller, request.parser);
  return changeParser(app, caller, request.identifier, async (_, row) => {
    if (row.simple === null) throw failedPrecondition(`"${row.name}" is an uploaded definition, not a simple parser.`);
    return {
      columns,
      change: { contentKsy: columns.definition, simpleParser: request.parser, changed: ['definition'] },
    };
  });
}

export function renameParser(
  app: App,
  caller: Scope,
  request: RenameModemMessageBodyParserRequest,
): Promise<ModemMessageBodyParser> {
  const name = readName(request.name);
  return changeParser(app, caller, request.identifier, async () => ({
    columns: { name },
    change: { name, changed: ['name'] },
  }));
}

interface Change {
  readonly columns: Partial<typeof parser.$inferInsert>;
  readonly change: ParserChange;
}

/** Changes a parser of the caller's organization, with its event. */
export async function changeParser(
  app: App,
  caller: Scope,
  identifier: string,
  read: (tx: Tx, row: ParserRow) => Promise<Change>,
): Promise<ModemMessageBodyParser> {
  return storeNames(app.db, async (tx) => {
    const before = await lockOwnedParser(tx, caller.organization, identifier);
    const { columns, change } = await read(tx, before);
    const row = await updateColumns(tx, before, columns);
    const parserMessage = await presentOwned(tx, row);
    if (change.changed.length > 0) await recordEvents(tx, [parserUpdated(parserMessage, app.now(), change)]);
    return parserMessage;
  });
}

async function updateColumns(tx: Tx, before: ParserRow, columns: Change['columns']): Promise<ParserRow> {
  if (Object.keys(columns).length === 0) return before;
  if (columns.name !== undefined) await requireFreeName(tx, before.organization, columns.name, before.identifier);
  const [row] = await tx
    .update(parser)
    .set(columns)
    .where(and(eq(parser.organization, before.organization), eq(parser.identifier, before.identifier)))
    .returning();
  return row as ParserRow;
}

/** Deletes the selected parsers of the caller's organization, with their fields and assignments. */
export async function deleteParsers(
  app: App,
  caller: Scope,
  selection: ModemMessageBodyParserSelection | undefined,
): Promise<void> {
  const { organization } = caller;
  if (isEmpty(selection))
    throw invalidArgument('Select the parsers to delete. An empty selection would delete all of them.');
  await app.db.transaction(async (tx) => {
    // Reject named parsers that the organization may only use. Other criteria leave such parsers out.
    if (selection.identifiers.length > 0) await lockOwned(tx, organization, selection.identifiers);
    const rows = await tx
      .select()
      .from(parser)
      .where(and(eq(parser.organization, organization), parserWhere(organization, selection)))
      .orderBy(parser.identifier)
      .for('update');
    const identifiers = rows.map(({ identifier }) => identifier);
    await tx.delete(parser).where(and(eq(parser.organization, organization), anyOf(parser.identifier, identifiers)));
    for (const link of [parserDevice, parserTag]) {
      await tx.delete(link).where(and(eq(link.owner, organization), anyOf(link.parser, identifiers)));
    }
    const now = app.now();
    await recordEvents(
      tx,
      rows.map(({ name }) => parserDeleted(organization, name, now)),
    );
  });
}

const isEmpty = (selection: ModemMessageBodyParserSelection | undefined): selection is undefined =>
  selection === undefined ||
  (selection.identifiers.length + selection.ownerOrganizations.length + selection.hasDataFields.length === 0 &&
    (selection.search ?? '').trim() === '' &&
    selection.onlySimple !== true &&
    selection.onlyKsyFile !== true &&
    selection.onlyOwnedParsers !== true);

async function insertParser(
  tx: Tx,
  app: App,
  { organization }: Scope,
  columns: Pick<typeof parser.$inferInsert, 'name' | 'definition' | 'simple' | 'metadataFields'>,
): Promise<ParserRow> {
  await requireFreeName(tx, organization, columns.name);
  const [row] = await tx
    .insert(parser)
    .values({ ...columns, organization, identifier: newIdentifier('parser'), createdAt: app.now() })
    .returning();
  return row as ParserRow;
}

async function recordCreated(tx: Tx, app: App, row: ParserRow): Promise<ModemMessageBodyParser> {
  const created = await presentOwned(tx, row);
  await recordEvents(tx, [parserCreated(created, app.now())]);
  return created;
}

async function presentOwned(tx: Tx, row: ParserRow): Promise<ModemMessageBodyParser> {
  const [listed] = await withFields(tx, [row]);
  if (listed === undefined) throw new Error("The parser was stored but can't be read.");
  return presentParser(listed, row.organization);
}

/** Keeps names unique in the organization because people choose parsers by name (not specified in the contract). */
async function requireFreeName(tx: Tx, organization: string, name: string, ignoredIdentifier = ''): Promise<void> {
  const [existing] = await tx
    .select({ identifier: parser.identifier })
    .from(parser)
    .where(and(eq(parser.organization, organization), eq(parser.name, name), ne(parser.identifier, ignoredIdentifier)));
  if (existing) throw alreadyExists(`${organization} already has a parser "${name}".`);
}

function readName(text: string): string {
  const name = readEnteredText(text, 'The name of a parser', MAX_LENGTH.parserName);
  if (name === '') throw invalidArgument('A parser needs a name.');
  return name;
}

async function readSimple(
  app: App,
  caller: Scope,
  simple: SimpleModemMessageBodyParser | undefined,
): Promise<{ readonly name: string; readonly definition: string; readonly simple: JsonValue }> {
  if (simple === undefined) throw invalidArgument('Specify the fields of the parser.');
  const name = readName(simple.name);
  const definition = generateDefinition(simple);
  await requireCompilable(app, caller, definition, { isGenerated: true });
  return { name, definition, simple: toJson(SimpleModemMessageBodyParserSchema, simple) };
}

/** Compiles a definition before it's stored. Call it outside transactions because it takes a moment. */
async function requireCompilable(
  app: App,
  { organization }: Scope,
  definition: string,
  { isGenerated = false }: { readonly isGenerated?: boolean } = {},
): Promise<void> {
  try {
    await app.parsing.check(organization, definition);
  } catch (error) {
    if (error instanceof DefinitionError) throw invalidArgument(isGenerated ? error.reason : error.message);
    throw error;
  }
}
