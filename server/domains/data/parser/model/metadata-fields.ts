import { create, type JsonValue, toJson } from '@bufbuild/protobuf';

import { pathKey } from '#commands/text/field-path.ts';
import {
  type ModemMessageBodyParser_MetadataFields,
  type ModemMessageBodyParser_MetadataFields_LocationFields,
  ModemMessageBodyParser_MetadataFieldsSchema,
  type UpdateUploadedModemMessageBodyParserRequest_MetadataFields,
  type UploadModemMessageBodyParserRequest,
} from '#proto/gen/hiber/parser_pb.ts';
import { requireDistinct } from '#server/wire/distinct.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { shorten } from '#server/wire/text.ts';

import { readPath } from './path.ts';

type MetadataFields = ModemMessageBodyParser_MetadataFields;

/** The maximum number of fields of each kind. Updates add to them, so limiting each request isn't enough. */
const MAX_METADATA_FIELDS = 200;

/** The metadata that a parser fills or requires, as JSON for the database. */
export function readMetadataFields({
  metadataFields,
  requireMessageMetadata,
}: Pick<UploadModemMessageBodyParserRequest, 'metadataFields' | 'requireMessageMetadata'>): JsonValue {
  const fields = metadataFields ?? create(ModemMessageBodyParser_MetadataFieldsSchema);
  return toStored({
    ...fields,
    // The copy outside `metadata_fields` is deprecated but still accepted.
    requireMessageMetadata: { ...requireMessageMetadata, ...fields.requireMessageMetadata },
  });
}

/** Applies an update to the stored fields. Adds and removes after replacing. */
export function updateMetadataFields(
  before: MetadataFields,
  update: UpdateUploadedModemMessageBodyParserRequest_MetadataFields,
): JsonValue {
  return toStored({
    ...before,
    messageMetadataFields: changeList(
      before.messageMetadataFields,
      update.addMessageMetadataFields,
      update.removeMessageMetadataFields,
      update.replaceMessageMetadataFields,
    ),
    modemMetadataFields: changeList(
      before.modemMetadataFields,
      update.addModemMetadataFields,
      update.removeModemMetadataFields,
      update.replaceModemMetadataFields,
    ),
    locationFields: update.updateLocationFields ?? before.locationFields,
    measuredAtField: newMeasuredAt(before.measuredAtField, update.measuredAtField),
    requireMessageMetadata: changeRequired(before.requireMessageMetadata, update),
  });
}

/** An empty list means no change (contract: Update semantics). Adding a field that is already there changes nothing. */
function changeList(
  before: readonly string[],
  added: readonly string[],
  removed: readonly string[],
  replacement: readonly string[],
): string[] {
  const removedKeys = new Set(removed.map(pathKey));
  const keptFields = (replacement.length > 0 ? replacement : before).filter(
    (field) => !removedKeys.has(pathKey(field)),
  );
  const keptKeys = new Set(keptFields.map(pathKey));
  return [...keptFields, ...added.filter((field) => !keptKeys.has(pathKey(field)))];
}

function changeRequired(
  before: MetadataFields['requireMessageMetadata'],
  update: UpdateUploadedModemMessageBodyParserRequest_MetadataFields,
): MetadataFields['requireMessageMetadata'] {
  const replacement = update.replaceRequireMessageMetadata;
  const base = Object.keys(replacement).length > 0 ? replacement : before;
  const added = update.addRequireMessageMetadata;
  const replacedKeys = new Set([...update.removeRequireMessageMetadata, ...Object.keys(added)].map(pathKey));
  const keptEntries = Object.entries(base).filter(([path]) => !replacedKeys.has(pathKey(path)));
  return { ...Object.fromEntries(keptEntries), ...added };
}

type MeasuredAt = MetadataFields['measuredAtField'];

function newMeasuredAt(
  before: MeasuredAt,
  update: UpdateUploadedModemMessageBodyParserRequest_MetadataFields['measuredAtField'],
): MeasuredAt {
  switch (update.case) {
    case 'measuredAtTimeField':
    case 'measuredAtOffsetField':
      return update;
    case 'deprecatedMeasuredAtTimeField':
      return update.value.updated ? { case: 'measuredAtTimeField', value: update.value.value } : before;
    case 'deprecatedMeasuredAtOffsetField':
      return update.value.updated ? { case: 'measuredAtOffsetField', value: update.value.value } : before;
    default:
      return before;
  }
}

function toStored(fields: MetadataFields): JsonValue {
  const requiredPaths = Object.keys(fields.requireMessageMetadata);
  requireAtMost(requiredPaths, 'required metadata fields');
  requireDistinctPaths(requiredPaths, 'required metadata field');
  const required = Object.entries(fields.requireMessageMetadata).map(([path, value]): [string, typeof value] => [
    readPath(path, 'The path of required metadata'),
    value,
  ]);
  const { measuredAtField } = fields;
  const checked = create(ModemMessageBodyParser_MetadataFieldsSchema, {
    messageMetadataFields: readPaths(fields.messageMetadataFields, 'message metadata field'),
    modemMetadataFields: readPaths(fields.modemMetadataFields, 'device metadata field'),
    locationFields: readLocationFields(fields.locationFields),
    // An empty field clears it (contract: Update semantics).
    measuredAtField:
      measuredAtField.case === undefined || measuredAtField.value.trim() === ''
        ? { case: undefined }
        : { ...measuredAtField, value: readPath(measuredAtField.value, 'The measured-at field') },
    requireMessageMetadata: Object.fromEntries(required),
  });
  return toJson(ModemMessageBodyParser_MetadataFieldsSchema, checked);
}

function readPaths(paths: readonly string[], kind: string): string[] {
  requireAtMost(paths, `${kind}s`);
  const read = paths.map((path) => readPath(path, `A ${kind}`));
  requireDistinctPaths(read, kind);
  return read;
}

const requireDistinctPaths = (paths: readonly string[], kind: string): void =>
  requireDistinct(paths, pathKey, (path) => `The ${kind} "${shorten(path)}" is listed twice.`);

function requireAtMost(fields: readonly unknown[], kind: string): void {
  if (fields.length <= MAX_METADATA_FIELDS) return;
  throw invalidArgument(
    `A parser can have at most ${MAX_METADATA_FIELDS} ${kind}; this would make it ${fields.length}.`,
  );
}

function readLocationFields(
  fields: ModemMessageBodyParser_MetadataFields_LocationFields | undefined,
): ModemMessageBodyParser_MetadataFields_LocationFields | undefined {
  const { latitude = '', longitude = '' } = fields ?? {};
  if (fields === undefined || (latitude.trim() === '' && longitude.trim() === '')) return undefined;
  if (latitude.trim() === '' || longitude.trim() === '') {
    throw invalidArgument('A location needs both a latitude field and a longitude field.');
  }
  return {
    ...fields,
    latitude: readPath(latitude, 'The latitude field'),
    longitude: readPath(longitude, 'The longitude field'),
  };
}
