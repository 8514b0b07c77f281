import { type JsonObject, toJson } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import { ConnectError } from '@connectrpc/connect';
import { and, eq, type SQL } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import type { ModemMessageBodyParser_MetadataFields } from '#proto/gen/hiber/parser_pb.ts';
import type { Sealer } from '#server/base/secrets.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { keyRowsIn } from '#server/db/key-rows.ts';
import { executePrepared } from '#server/db/prepared.ts';
import { parser, parserField } from '#server/db/schema/parser.ts';
import { assignedParsers } from '#server/domains/data/parser/model/assigned.ts';
import { describeMissingMetadata, type RequiredMetadata } from '#server/domains/data/parser/model/check-result.ts';
import type { FieldRow, ParserRow } from '#server/domains/data/parser/model/fields.ts';
import { usableBy } from '#server/domains/data/parser/model/find.ts';
import { withoutValues } from '#server/domains/data/parser/model/path.ts';
import { storedMetadataFields } from '#server/domains/data/parser/model/present.ts';
import { DefinitionError, type Parsing } from '#server/parsing/parsing.ts';
import { newBudget, type ParseFailure, type ParseResult, type ResultBudget } from '#server/parsing/result.ts';

import { type ExtractedValue, extractValues, locationIn, measuredAt, type MessageTimes, pick } from './extract.ts';

/** A message to parse. */
export interface ParseableMessage {
  readonly number: string;
  readonly sentAt: Date;
  /** Unset for a message that is being received. */
  readonly receivedAt?: Date;
  readonly body: Uint8Array;
  readonly metadata?: JsonObject;
}

/** A parser's result for a message. */
export type ParserOutcome = ParserSuccess | ParserFailure;

export interface ParserSuccess {
  readonly parser: string;
  readonly name: string;
  readonly result: JsonObject;
  /** The result without its encrypted fields. Events and everything else that is not encrypted come from it. */
  readonly plainResult: JsonObject;
  /** The result as it is stored, if it has encrypted fields. */
  readonly sealedResult?: string;
  readonly measuredAt: Date;
  readonly values: readonly ExtractedValue[];
  readonly location: { readonly latitude: number; readonly longitude: number } | undefined;
  /** Copied into the metadata of the message. */
  readonly messageMetadata: JsonObject | undefined;
  /** Copied into the metadata of the device. */
  readonly deviceMetadata: JsonObject | undefined;
}

interface ParserFailure {
  readonly parser: string;
  readonly name: string;
  /** A sentence. */
  readonly error: string;
  /** The byte at which parsing failed. */
  readonly offset?: number;
  /** True if the parser exceeded a limit, or crashed. */
  readonly exceeds?: true;
}

/** A parser that is ready to be applied. */
interface ReadyParser {
  readonly row: ParserRow;
  readonly fields: readonly FieldRow[];
  readonly metadataFields: ModemMessageBodyParser_MetadataFields;
  readonly requiredMetadata: RequiredMetadata;
}

interface ParseContext {
  readonly db: Executor;
  readonly parsing: Parsing;
  /** Seals the values of encrypted fields. */
  readonly secrets: Sealer;
  readonly now: () => Date;
}

interface ParseOptions {
  /** Restricts the parsers. */
  readonly condition?: SQL;
  /** True to throw if the server is too busy to parse, instead of reporting that as the result. */
  readonly failIfBusy?: boolean;
}

/**
 * Applies the assigned parsers of each message's device. Call it before opening the transaction that stores the
 * messages: it takes no lock and may compute for a while. Every assigned parser tries every message, except for those
 * without the metadata that it requires (contract: Behaviour).
 *
 * @returns the outcomes of each message, in order
 */
export async function parseMessages(
  { db, parsing, secrets, now }: ParseContext,
  organization: string,
  messages: readonly ParseableMessage[],
  { condition, failIfBusy = false }: ParseOptions = {},
): Promise<ParserOutcome[][]> {
  const outcomes = messages.map((): ParserOutcome[] => []);
  const parsers = await loadParsers(db, organization, [...new Set(messages.map(({ number }) => number))], condition);
  const options = { failIfBusy, budget: newBudget() };
  const startedAt = now();
  for (const { ready, numbers } of parsers) {
    const indexes = messages.flatMap(({ number, metadata }, index) =>
      numbers.has(number) && describeMissingMetadata(ready.requiredMetadata, metadata) === undefined ? [index] : [],
    );
    if (indexes.length === 0) continue;
    const applicable = indexes.map((index) => messages[index] as ParseableMessage);
    const results = await applyParser(parsing, organization, ready.row.definition, applicable, options);
    for (const [position, index] of indexes.entries()) {
      const result = results[position] ?? { error: 'The parser returned no result.' };
      const { sentAt, receivedAt = startedAt } = messages[index] as ParseableMessage;
      outcomes[index]?.push(toOutcome(ready, result, { sentAt, receivedAt }, secrets));
    }
  }
  return outcomes;
}

async function applyParser(
  parsing: Parsing,
  organization: string,
  definition: string,
  messages: readonly ParseableMessage[],
  { failIfBusy, budget }: { readonly failIfBusy: boolean; readonly budget: ResultBudget },
): Promise<readonly ParseResult[]> {
  try {
    return await parsing.parse(
      organization,
      definition,
      messages.map(({ body }) => body),
      { budget },
    );
  } catch (error) {
    // The messages are stored anyway, with the reason, so they can be parsed again later.
    const isBusy = error instanceof ConnectError && !failIfBusy;
    const reason = error instanceof DefinitionError ? error.message : isBusy ? error.rawMessage : undefined;
    if (reason === undefined) throw error;
    return messages.map(() => ({ error: reason }));
  }
}

function toOutcome(
  { row, fields, metadataFields }: ReadyParser,
  parsed: ParseResult,
  message: MessageTimes,
  secrets: Sealer,
): ParserOutcome {
  const { identifier, name } = row;
  const encryptedFields = fields.filter(({ encrypted }) => encrypted).map(({ field }) => field);
  if ('error' in parsed) {
    return {
      parser: identifier,
      name,
      error: encryptedFields.length === 0 ? parsed.error : withoutReason(parsed),
      ...(parsed.offset === undefined ? {} : { offset: parsed.offset }),
      ...(parsed.exceeds ? { exceeds: true } : {}),
    };
  }
  const result = parsed.fields;
  const values = extractValues(fields, result, secrets);
  if (typeof values === 'string') return { parser: identifier, name, error: values };
  const plainResult = withoutValues(result, encryptedFields);
  const measuredTime = measuredAt(metadataFields, plainResult, message);
  if (typeof measuredTime === 'string') return { parser: identifier, name, error: measuredTime };
  return {
    parser: identifier,
    name,
    result,
    plainResult,
    ...(encryptedFields.length === 0 ? {} : { sealedResult: secrets.seal(JSON.stringify(result)) }),
    values,
    measuredAt: measuredTime,
    location: locationIn(metadataFields, plainResult),
    messageMetadata: pick(metadataFields.messageMetadataFields, plainResult),
    deviceMetadata: pick(metadataFields.modemMetadataFields, plainResult),
  };
}

/** Describes a failure without its reason, which may quote an encrypted value. */
function withoutReason({ path, offset }: ParseFailure): string {
  const field = path === undefined ? '' : `, because of the field ${path}`;
  return `The message can't be parsed${field}${offset === undefined ? '' : ` at byte ${offset}`}.`;
}

/** Loads the parsers of devices, each with the devices that it applies to. */
async function loadParsers(
  db: Executor,
  organization: string,
  numbers: readonly string[],
  condition: SQL | undefined,
): Promise<{ readonly ready: ReadyParser; readonly numbers: ReadonlySet<string> }[]> {
  const { rows: links } = await executePrepared<{ number: string; owner: string; parser: string }>(
    db,
    assignedParsers(keyRowsIn(organization, numbers)),
  );
  if (links.length === 0) return [];
  const identifiers = [...new Set(links.map((link) => link.parser))];
  const rows = await db
    .select()
    .from(parser)
    .where(and(usableBy(organization), anyOf(parser.identifier, identifiers), condition))
    .orderBy(parser.identifier);
  const fields = await db
    .select({ field: parserField })
    .from(parserField)
    .innerJoin(
      parser,
      and(eq(parser.organization, parserField.organization), eq(parser.identifier, parserField.parser)),
    )
    .where(anyOf(parser.identifier, identifiers));
  const fieldsByParser = groupBy(fields, ({ field }) => field.parser);
  const linksByParser = groupBy(links, (link) => link.parser);
  return rows.map((row) => {
    const metadataFields = storedMetadataFields(row);
    const required = Object.entries(metadataFields.requireMessageMetadata);
    return {
      ready: {
        row,
        metadataFields,
        fields: (fieldsByParser.get(row.identifier) ?? []).map(({ field }) => field),
        requiredMetadata: Object.fromEntries(required.map(([path, value]) => [path, toJson(ValueSchema, value)])),
      },
      numbers: new Set((linksByParser.get(row.identifier) ?? []).map(({ number }) => number)),
    };
  });
}
