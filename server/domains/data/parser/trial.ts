import { create, type JsonObject, toJson } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import { and, eq } from 'drizzle-orm';

import {
  type TestModemMessageBodyParserRequest,
  type TestModemMessageBodyParserRequest_Response,
  TestModemMessageBodyParserRequest_ResponseSchema,
} from '#proto/gen/hiber/parser_pb.ts';
import {
  type TestBatchRequest,
  type TestBatchResponse,
  TestBatchResponseSchema,
  type TraceRequest,
  type TraceResponse,
  TraceResponse_FailureSchema,
  TraceResponseSchema,
} from '#proto/gen/quarterdeck/parser/v1/parser_trace_service_pb.ts';
import type { App } from '#server/app/app.ts';
import { device } from '#server/db/schema/device.ts';
import { message } from '#server/db/schema/message.ts';
import { deviceScope, visibleDevices } from '#server/domains/fleet/device/model/where.ts';
import { DefinitionError, type ParseOptions } from '#server/parsing/parsing.ts';
import { newBudget, type ParsedFields, type ParseFailure } from '#server/parsing/result.ts';
import type { Scope } from '#server/session/scope.ts';
import { readBytes } from '#server/wire/bytes.ts';
import { invalidArgument, notFound } from '#server/wire/errors.ts';

import { describeMissingFields, describeMissingMetadata, type RequiredMetadata } from './model/check-result.ts';
import type { FieldRow } from './model/fields.ts';
import { requireUsable } from './model/find.ts';
import { storedMetadataFields } from './model/present.ts';
import { generateDefinition } from './simple.ts';

/** The parser to test. */
interface Trial {
  readonly definition: string;
  /** True for a definition that nobody has seen. */
  readonly isGenerated?: boolean;
  readonly requiredMetadata: RequiredMetadata;
  readonly fields: readonly FieldRow[];
}

interface Data {
  readonly body: Uint8Array;
  /** Undefined for bytes without a message, whose metadata isn't checked. */
  readonly metadata?: JsonObject;
}

type TrialRequest = Pick<TestModemMessageBodyParserRequest, 'parser' | 'data'>;
type TrialFailure = ParseFailure & { readonly line?: number | undefined };

/** Applies a parser to bytes or to a stored message, and stores nothing. */
export async function testParser(
  app: App,
  caller: Scope,
  request: TestModemMessageBodyParserRequest,
): Promise<TestModemMessageBodyParserRequest_Response> {
  return presentResult(await runTrial(app, caller, request));
}

function presentResult(result: ParsedFields | ParseFailure): TestModemMessageBodyParserRequest_Response {
  return create(TestModemMessageBodyParserRequest_ResponseSchema, {
    result: 'error' in result ? { case: 'error', value: result.error } : { case: 'parsed', value: result.fields },
  });
}

/**
 * The number of messages of a batch to parse before looking at the limits again. So few that no message is skipped
 * because of the others (MAX_EXCEEDING_MESSAGES, MAX_BATCH_RESULTS).
 */
const BATCH_PART = 25;
/** The time after which a batch ends, in milliseconds, so its caller can report progress or cancel. */
const MAX_BATCH_MS = 500;
/** The characters of results after which a batch ends. */
const MAX_BATCH_CHARACTERS = 1024 * 1024;

/** Applies a parser to several bodies like {@link testParser}. Returns the results of as many as the limits allow. */
export async function testBatch(
  app: App,
  caller: Scope,
  { parser, parseBytes }: TestBatchRequest,
  signal: AbortSignal,
): Promise<TestBatchResponse> {
  const trial = await readTrial(app, caller, parser);
  if (parseBytes.length === 0) throw invalidArgument('Specify the bytes to parse.');
  const bodies = parseBytes.map((bytes, index) => readBytes(bytes, `parse_bytes[${index}]`));
  const startedAt = performance.now();
  const results: TestModemMessageBodyParserRequest_Response[] = [];
  let characters = 0;
  while (
    results.length < bodies.length &&
    performance.now() - startedAt < MAX_BATCH_MS &&
    characters < MAX_BATCH_CHARACTERS &&
    !signal.aborted
  ) {
    const budget = newBudget();
    const { characters: allowedCharacters } = budget;
    const part = bodies.slice(results.length, results.length + BATCH_PART);
    const parsed = await applyTrial(app, caller, trial, part, { budget });
    results.push(...parsed.map(presentResult));
    characters += allowedCharacters - budget.characters;
  }
  return create(TestBatchResponseSchema, { results });
}

/** Applies a parser like {@link testParser} and returns the bytes of each field. */
export async function traceParser(app: App, caller: Scope, request: TraceRequest): Promise<TraceResponse> {
  const result = await runTrial(app, caller, request, { withRanges: true });
  if (!('error' in result)) {
    return create(TraceResponseSchema, {
      result: { case: 'parsed', value: result.fields },
      ranges: [...(result.ranges ?? [])],
    });
  }
  const { error, line, path, offset } = result;
  const value = create(TraceResponse_FailureSchema, {
    error,
    ...(line === undefined ? {} : { line }),
    ...(path === undefined ? {} : { path }),
    ...(offset === undefined ? {} : { offset }),
  });
  return create(TraceResponseSchema, { result: { case: 'failure', value } });
}

async function runTrial(
  app: App,
  caller: Scope,
  request: TrialRequest,
  options: ParseOptions = {},
): Promise<ParsedFields | TrialFailure> {
  const trial = await readTrial(app, caller, request.parser);
  const data = await readData(app, caller, request.data);
  const failure = data.metadata && describeMissingMetadata(trial.requiredMetadata, data.metadata);
  if (failure !== undefined) return { error: failure };
  const [result = { error: '' }] = await applyTrial(app, caller, trial, [data.body], options);
  return result;
}

/** Applies a parser to bytes, and returns a result for each. */
async function applyTrial(
  app: App,
  { organization }: Scope,
  { definition, isGenerated = false, fields }: Trial,
  bodies: readonly Uint8Array[],
  options: ParseOptions,
): Promise<readonly (ParsedFields | TrialFailure)[]> {
  try {
    const results = await app.parsing.parse(organization, definition, bodies, options);
    return results.map((result) => {
      if ('error' in result) return result;
      const absentFields = describeMissingFields(fields, result.fields);
      return absentFields === undefined ? result : { error: absentFields };
    });
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    const text = isGenerated ? error.reason : error.message;
    // A line tells that the definition is invalid. A mistake of the whole definition counts as one in its first line.
    const line = error.line ?? 1;
    return bodies.map(() => ({ error: text, line }));
  }
}

async function readTrial(app: App, caller: Scope, parser: TestModemMessageBodyParserRequest['parser']): Promise<Trial> {
  switch (parser.case) {
    case 'identifier': {
      const { row, fields } = await requireUsable(app.db.orm, caller.organization, parser.value);
      const { requireMessageMetadata } = storedMetadataFields(row);
      return {
        definition: row.definition,
        fields,
        requiredMetadata: Object.fromEntries(
          Object.entries(requireMessageMetadata).map(([path, value]) => [path, toJson(ValueSchema, value)]),
        ),
      };
    }
    case 'contentKsy':
      return { definition: parser.value, fields: [], requiredMetadata: {} };
    case 'simpleParser':
      return { definition: generateDefinition(parser.value), isGenerated: true, fields: [], requiredMetadata: {} };
    default:
      throw invalidArgument('Specify the parser to test: its identifier, a definition, or a simple parser.');
  }
}

async function readData(app: App, caller: Scope, data: TestModemMessageBodyParserRequest['data']): Promise<Data> {
  switch (data.case) {
    case 'parseBytes':
      return { body: readBytes(data.value, 'parse_bytes') };
    case 'modemMessageId': {
      caller.require('MODEM_MESSAGES');
      const id = Number(data.value);
      const [row] = await app.db.orm
        .select({ body: message.body, metadata: message.metadata })
        .from(message)
        .innerJoin(device, and(eq(device.organization, message.organization), eq(device.number, message.number)))
        .where(
          and(eq(message.organization, caller.organization), eq(message.id, id), visibleDevices(deviceScope(caller))),
        );
      if (row === undefined) throw notFound(`${caller.organization} has no message with id ${data.value}.`);
      return { body: row.body, metadata: (row.metadata ?? {}) as JsonObject };
    }
    default:
      throw invalidArgument('Specify the bytes to parse, or the id of a message.');
  }
}
