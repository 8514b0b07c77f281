import { create, fromJson, type JsonValue } from '@bufbuild/protobuf';

import {
  type ModemMessageBodyParser,
  type ModemMessageBodyParser_MetadataFields,
  ModemMessageBodyParser_MetadataFieldsSchema,
  ModemMessageBodyParserSchema,
  type SimpleModemMessageBodyParser,
  SimpleModemMessageBodyParserSchema,
} from '#proto/gen/hiber/parser_pb.ts';

import { type ParserRow, presentField } from './fields.ts';
import type { ListedParser } from './find.ts';

/** Reads stored JSON, ignoring fields written by a newer release. */
const options = { ignoreUnknownFields: true };

export const storedMetadataFields = (row: ParserRow): ModemMessageBodyParser_MetadataFields =>
  fromJson(ModemMessageBodyParser_MetadataFieldsSchema, row.metadataFields, options);

export const storedSimple = (stored: JsonValue): SimpleModemMessageBodyParser =>
  fromJson(SimpleModemMessageBodyParserSchema, stored, options);

/**
 * Presents a parser.
 *
 * @param viewer the organization that asks; only the owner sees which organizations the parser is available to
 */
export function presentParser(
  { row, owner, fields }: ListedParser,
  viewer: string,
  { excludeContent = false } = {},
): ModemMessageBodyParser {
  const metadataFields = storedMetadataFields(row);
  return create(ModemMessageBodyParserSchema, {
    name: row.name,
    identifier: row.identifier,
    organization: row.organization,
    organizationDisplayName: owner,
    contentKsy: excludeContent ? '' : row.definition,
    simpleParser: row.simple === null ? undefined : storedSimple(row.simple),
    availableToChildOrganizations:
      row.organization === viewer ? { childOrganizations: presentAvailability(row) } : undefined,
    metadataFields,
    requireMessageMetadata: metadataFields.requireMessageMetadata,
    dataFields: fields.map((field) => presentField(field, row)),
  });
}

export const presentAvailability = (row: Pick<ParserRow, 'availableToAll' | 'availableTo' | 'unavailableTo'>) => ({
  includeAll: row.availableToAll,
  include: row.availableTo,
  exclude: row.unavailableTo,
});
