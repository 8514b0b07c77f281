import { create, type JsonObject, toJson } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import { and, eq } from 'drizzle-orm';

import {
  type TestModemMessageBodyParserRequest,
  type TestModemMessageBodyParserRequest_Response,
  TestModemMessageBodyParserRequest_ResponseSchema,
} from '#proto/gen/hiber/parser_pb.ts';
import type { App } from '#server/app/app.ts';
import { device } from '#server/db/schema/device.ts';
import { message } from '#server/db/schema/message.ts';
import { deviceScope, visibleDevices } from '#server/domains/fleet/device/model/where.ts';
import { DefinitionError } from '#server/parsing/parsing.ts';
import type { Scope } from '#server/session/scope.ts';
import { readBytes } from '#server/wire/bytes.ts';
import { invalidArgument, notFound } from '#server/wire/errors.ts';

import { missingFields, missingMetadata, type RequiredMetadata } from './model/check-result.ts';
import type { FieldRow } from './model/fields.ts';
import { requireUsable } from './model/find.ts';
import { storedMetadataFields } from './model/present.ts';
import { generateDefinition } from './simple.ts';

/** The parser to test. */
interface Trial {
  readonly definition: string;
  readonly requiredMetadata: RequiredMetadata;
  readonly fields: readonly FieldRow[];
}

interface Data {
  readonly body: Uint8Array;
  /** Undefined for bytes that belong to no message: the required metadata is then not checked. */
  readonly metadata?: JsonObject;
}

/** Applies a parser to bytes or to a stored message, and stores nothing. */
export async function testParser(
  app: App,
  caller: Scope,
  request: TestModemMessageBodyParserRequest,
): Promise<TestModemMessageBodyParserRequest_Response> {
  const trial = await readTrial(app, caller, request.parser);
  const data = await readData(app, caller, request.data);
  const respond = (result: TestModemMessageBodyParserRequest_Response['result']) =>
    create(TestModemMessageBodyParserRequest_ResponseSchema, { result });
  const failure = data.metadata && missingMetadata(trial.requiredMetadata, data.metadata);
  if (failure !== undefined) return respond({ case: 'error', value: failure });
  try {
    const [result] = await app.parsing.parse(caller.organization, trial.definition, [data.body]);
    if (result === undefined || 'error' in result) return respond({ case: 'error', value: result?.error ?? '' });
    const missing = missingFields(trial.fields, result.fields);
    return respond(
      missing === undefined ? { case: 'parsed', value: result.fields } : { case: 'error', value: missing },
    );
  } catch (error) {
    if (error instanceof DefinitionError) return respond({ case: 'error', value: error.message });
    throw error;
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
      return { definition: generateDefinition(parser.value), fields: [], requiredMetadata: {} };
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
