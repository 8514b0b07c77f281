import { create, fromJson, toJson } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';

import { attributes } from '#commands/kit/attributes.ts';
import type { EditableField } from '#commands/kit/edit-command.ts';
import { intersectValues, singleValue, valuesOf } from '#commands/kit/filter-keys.ts';
import { formatMetadata, metadataText, parseMetadata, type MetadataPairs } from '#commands/kit/metadata-pairs.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import { message } from '#commands/text/message.ts';
import {
  ModemMessageBodyParser_MetadataFields_LocationFieldsSchema as LocationFieldsSchema,
  type ModemMessageBodyParser_MetadataFields as MetadataFields,
  type UpdateUploadedModemMessageBodyParserRequest as UpdateParser,
  type UpdateUploadedModemMessageBodyParserRequest_MetadataFields as UpdateMetadata,
} from '#proto/gen/hiber/parser_pb.ts';

import {
  availabilityLinks,
  availabilityOf,
  availabilityText,
  definitionOf,
  idOf,
  kindOf,
  type ParserItem,
} from './item.ts';
import type { ParserSelection } from './list.ts';
import { definitionParam, nameParam, parserParams } from './params.ts';

/** An update with its nested message, for fields to write into. */
type ParserUpdate = UpdateParser & { readonly metadataFields: UpdateMetadata };

interface ParserField extends EditableField<ParserItem> {
  /** Writes the value into the contract's update of one parser. */
  write(update: ParserUpdate, value: ArgValue, item: ParserItem): void;
}

const EDIT = 'parser.edit';

const metadataOf = ({ parser }: ParserItem): MetadataFields | undefined => parser.metadataFields;

/** Returns the metadata that messages must have, as typed text. */
function formatRequired(item: ParserItem): MetadataPairs {
  const required = metadataOf(item)?.requireMessageMetadata ?? {};
  const entries = Object.entries(required).map(([path, value]) => [path, toJson(ValueSchema, value)] as const);
  return formatMetadata(Object.fromEntries(entries));
}

export const toRequiredMetadata = (pairs: MetadataPairs) =>
  Object.fromEntries(Object.entries(parseMetadata(pairs)).map(([path, value]) => [path, fromJson(ValueSchema, value)]));

const pathsText = (paths: readonly string[] | undefined): string | undefined => paths?.join(', ') || undefined;

/** Returns a list of paths that the contract changes with `add…` and `remove…`. */
function pathList(
  pathsOf: (fields: MetadataFields) => readonly string[],
  add: 'addMessageMetadataFields' | 'addModemMetadataFields',
  remove: 'removeMessageMetadataFields' | 'removeModemMetadataFields',
  param: ParserField['param'],
) {
  const current = (item: ParserItem): readonly string[] => {
    const fields = metadataOf(item);
    return fields ? pathsOf(fields) : [];
  };
  return {
    kind: 'mono' as const,
    value: (item: ParserItem) => pathsText(current(item)),
    detail: 'reporting' as const,
    edit: EDIT,
    field: {
      param,
      current,
      write: ({ metadataFields }: ParserUpdate, value: ArgValue, item: ParserItem) => {
        const [before, after] = [current(item), value as readonly string[]];
        metadataFields[add] = after.filter((path) => !before.includes(path));
        metadataFields[remove] = before.filter((path) => !after.includes(path));
      },
    },
  };
}

/** Returns one of the two paths of the location. The contract updates them together. */
function locationPath(name: 'latitude' | 'longitude') {
  const current = (item: ParserItem): string => metadataOf(item)?.locationFields?.[name] ?? '';
  return {
    kind: 'mono' as const,
    value: (item: ParserItem) => current(item) || undefined,
    detail: 'reporting' as const,
    edit: EDIT,
    field: {
      param: parserParams[name],
      current,
      write: ({ metadataFields }: ParserUpdate, value: ArgValue, item: ParserItem) => {
        const { latitude = '', longitude = '' } = metadataOf(item)?.locationFields ?? {};
        metadataFields.updateLocationFields ??= create(LocationFieldsSchema, { latitude, longitude });
        metadataFields.updateLocationFields[name] = (value as string).trim();
      },
    },
  };
}

/** Returns one of the two alternatives for the time of a measurement. Setting one replaces the other. */
function measuredField(
  option: 'measuredAtTimeField' | 'measuredAtOffsetField',
  param: 'measuredAt' | 'measuredOffset',
) {
  const current = (item: ParserItem): string => {
    const field = metadataOf(item)?.measuredAtField;
    return field?.case === option ? field.value : '';
  };
  return {
    kind: 'mono' as const,
    value: (item: ParserItem) => current(item) || undefined,
    detail: 'reporting' as const,
    edit: EDIT,
    field: {
      param: parserParams[param],
      current,
      canRestore: (item: ParserItem) => (metadataOf(item)?.measuredAtField.case ?? option) === option,
      write: ({ metadataFields }: ParserUpdate, value: ArgValue) => {
        metadataFields.measuredAtField = { case: option, value: (value as string).trim() };
      },
    },
  };
}

const fieldNames = ({ parser }: ParserItem): string | undefined =>
  parser.dataFields.map(({ displayName, field }) => displayName || field).join(', ') || undefined;

export const parserAttributes = attributes<ParserItem, ParserSelection, ParserField>({
  name: {
    kind: 'text',
    value: ({ parser }) => parser.name,
    column: { width: 150, comfortableWidth: 220, grow: 2 },
    detail: 'identity',
    edit: 'parser.rename',
    field: {
      param: nameParam,
      current: ({ parser }) => parser.name,
      write: (update, value) => (update.name = (value as string).trim()),
    },
  },
  kind: {
    kind: 'text',
    value: kindOf,
    column: { width: 76, possibleValues: [message('parser:kind.simple'), message('parser:kind.uploaded')] },
    detail: 'about',
    filter: {
      kind: 'choice',
      options: ['SIMPLE', 'UPLOADED'],
      label: (name) => message(`parser:kind.${name.toLowerCase()}`),
      pluralMessage: message('parser:filter.several'),
      apply: (selection, term) => {
        const hasSeveralValues = new Set(valuesOf(term)).size > 1;
        if (!hasSeveralValues && singleValue(term) === 'SIMPLE') selection.onlySimple = true;
        if (!hasSeveralValues && singleValue(term) === 'UPLOADED') selection.onlyKsyFile = true;
      },
    },
  },
  fields: {
    kind: 'text',
    value: fieldNames,
    column: { width: 140, comfortableWidth: 240, grow: 2 },
    detail: 'state',
    key: 'field',
    filter: {
      kind: 'text',
      apply: (selection, term) => {
        selection.hasDataFields = intersectValues(selection.hasDataFields, valuesOf(term), term.key);
      },
    },
  },
  requiredMetadata: {
    kind: 'mono',
    value: (item) => metadataText(formatRequired(item)),
    column: { width: 110, grow: 1 },
    detail: 'state',
    edit: EDIT,
    field: {
      param: parserParams.requiredMetadata,
      current: formatRequired,
      text: (value) => metadataText(value as MetadataPairs),
      write: ({ metadataFields }, value, item) => {
        const after = value as MetadataPairs;
        metadataFields.addRequireMessageMetadata = toRequiredMetadata(after);
        metadataFields.removeRequireMessageMetadata = Object.keys(formatRequired(item)).filter(
          (path) => !Object.hasOwn(after, path),
        );
      },
    },
  },
  messageMetadata: pathList(
    (fields) => fields.messageMetadataFields,
    'addMessageMetadataFields',
    'removeMessageMetadataFields',
    parserParams.messageMetadata,
  ),
  deviceMetadata: pathList(
    (fields) => fields.modemMetadataFields,
    'addModemMetadataFields',
    'removeModemMetadataFields',
    parserParams.deviceMetadata,
  ),
  latitude: locationPath('latitude'),
  longitude: locationPath('longitude'),
  measuredAt: measuredField('measuredAtTimeField', 'measuredAt'),
  measuredOffset: measuredField('measuredAtOffsetField', 'measuredOffset'),
  availability: {
    kind: 'text',
    // Only the owner can see it.
    value: (item) => (item.owned ? availabilityText(availabilityOf(item), item.organizations) : undefined),
    links: (item) => (item.owned ? availabilityLinks(availabilityOf(item), item.organizations) : []),
    column: { width: 120, comfortableWidth: 170, grow: 1 },
    detail: 'access',
    edit: 'parser.set-availability',
  },
  owner: {
    kind: 'text',
    value: ({ parser }) => parser.organizationDisplayName || parser.organization,
    // Users may not have access to the other organizations that provide parsers.
    links: ({ owned, parser: { organization: id, organizationDisplayName: name } }) =>
      owned ? [{ entity: 'organization', id, name: name || id }] : [],
    column: { width: 120, grow: 1 },
    detail: 'owner',
    filter: {
      kind: 'text',
      apply: (selection, term) => {
        selection.ownerOrganizations = intersectValues(selection.ownerOrganizations, valuesOf(term), term.key);
      },
    },
  },
  id: {
    kind: 'mono',
    value: idOf,
    column: { width: 206 },
    detail: 'about',
    filter: {
      kind: 'text',
      canonical: (text) => text.replace(/^#/, ''),
      apply: (selection, term) => {
        selection.identifiers = intersectValues(selection.identifiers, valuesOf(term), term.key);
      },
    },
  },
  definition: {
    field: {
      param: definitionParam,
      current: definitionOf,
      // The plan has the lines that differ, and the fields that the definition adds and removes.
      write: (update, value) => (update.contentKsy = value as string),
    },
  },
});
