import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { getTextEncoding } from '@bufbuild/protobuf/wire';

import { bulkAction } from '#commands/kit/bulk-action.ts';
import { createAction } from '#commands/kit/create-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { FileContent } from '#commands/model/files.ts';
import { p, requiredUnless } from '#commands/model/params.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';
import {
  ModemMessageBodyParserService,
  UploadModemMessageBodyParserRequestSchema,
  type ModemMessageBodyParser,
} from '#proto/gen/hiber/parser_pb.ts';

import { toRequiredMetadata } from './attributes.ts';
import { checkDefinition } from './check.ts';
import { parser } from './entity.ts';
import { idOf, isSimple } from './item.ts';
import { loadDefinition } from './list.ts';
import { definitionFileParam, definitionParam, nameParam, parserParams } from './params.ts';

interface Source {
  readonly file: FileContent | '' | undefined;
  readonly definition: string | undefined;
  readonly name: string | undefined;
}

/** Returns the definition as text, from the file or as typed. */
function definitionIn({ file, definition = '' }: Source): string {
  if (!file) return definition;
  const text = getTextEncoding().decodeUtf8(file.bytes);
  if (/[\0\uFFFD]/.test(text)) throw new CommandError(message('parser:validation.noText', { name: file.name }), 'file');
  return text;
}

/**
 * Returns the given name, or the definition's title, or the name of the file.
 *
 * @throws CommandError if there is none
 */
async function nameIn(source: Source): Promise<string> {
  const file = source.file ? source.file.name.replace(/\.[^.]*$/, '') : undefined;
  const name = source.name?.trim() || (await titleOf(definitionIn(source))) || file;
  if (!name) throw new CommandError(message('core:validation.required'), 'name');
  return name.slice(0, MAX_LENGTH.parserName);
}

async function titleOf(definition: string): Promise<string | undefined> {
  const { parseOutline } = await import('./outline.ts');
  return parseOutline(definition).title;
}

const paramOf = ({ file }: Source): 'file' | 'definition' => (file ? 'file' : 'definition');

export const uploadParser = createAction({
  entity: parser,
  verb: 'upload',
  requires: 'MANAGE_PARSERS',
  keys: ['c Shift+P'],
  params: {
    file: definitionFileParam,
    definition: requiredUnless('file', message('parser:validation.noDefinition'), definitionParam),
    name: nameParam,
    ...parserParams,
  },
  positional: ['file', 'name'],
  problems: (_context, args) => {
    if (args.file && args.definition !== undefined) return { definition: message('parser:validation.twoDefinitions') };
    if (args.measuredAt && args.measuredOffset) return { measuredOffset: message('parser:validation.twoTimes') };
    if (Boolean(args.latitude) !== Boolean(args.longitude))
      return { [args.latitude ? 'longitude' : 'latitude']: message('parser:validation.location') };
    return {};
  },
  nameOf: nameIn,
  notes: async (context, args) => {
    const text = definitionIn(args);
    await checkDefinition(context, text, paramOf(args));
    const { parseOutline } = await import('./outline.ts');
    const { fields } = parseOutline(text);
    return fields.length > 0 ? [message('parser:plan.results', { fields: fields.join(', ') })] : [];
  },
  call: async ({ api, organization, signal }, args) => {
    const { latitude, longitude, measuredAt, measuredOffset, requiredMetadata } = args;
    const { identifier, name } = await api(ModemMessageBodyParserService).upload(
      {
        organization,
        name: await nameIn(args),
        contentKsy: definitionIn(args),
        metadataFields: {
          messageMetadataFields: [...(args.messageMetadata ?? [])],
          modemMetadataFields: [...(args.deviceMetadata ?? [])],
          ...(latitude && longitude ? { locationFields: { latitude, longitude } } : {}),
          ...(measuredAt ? { measuredAtField: { case: 'measuredAtTimeField', value: measuredAt } } : {}),
          ...(measuredOffset ? { measuredAtField: { case: 'measuredAtOffsetField', value: measuredOffset } } : {}),
          ...(requiredMetadata ? { requireMessageMetadata: toRequiredMetadata(requiredMetadata) } : {}),
        },
      },
      { signal },
    );
    return { id: identifier, label: name };
  },
  undo: { verb: 'delete' },
  changed: ['field'],
});

/** Copies everything but the assignments and the availability. A copy of a simple parser is an uploaded one. */
function createCopy(original: ModemMessageBodyParser, contentKsy: string, suffix: string, organization: string) {
  const { name, metadataFields, dataFields } = original;
  const copy: MessageInitShape<typeof UploadModemMessageBodyParserRequestSchema> = {
    organization,
    name: `${name} ${suffix}`.trim(),
    contentKsy,
    // The server gives the fields of the copy their own identifiers.
    dataFields,
    ...(metadataFields ? { metadataFields } : {}),
  };
  return create(UploadModemMessageBodyParserRequestSchema, copy);
}

export const duplicateParser = bulkAction({
  entity: parser,
  verb: 'duplicate',
  requires: 'MANAGE_PARSERS',
  keys: [LETTERS.duplicate],
  params: { suffix: p.text({ fallback: '(copy)' }) },
  notes: (_context, items) => [
    message('parser:plan.duplicateAssignments'),
    ...(items.some(isSimple) ? [message('parser:plan.duplicateSimple')] : []),
  ],
  size: 1,
  call: async (context, [item], { suffix = '(copy)' }) => {
    const { api, organization, signal } = context;
    const definition = await loadDefinition(context, organization, idOf(item!));
    const request = createCopy(item!.parser, definition, suffix, organization);
    const { identifier } = await api(ModemMessageBodyParserService).upload(request, { signal });
    return { createdIds: [identifier] };
  },
  undo: { created: 'delete' },
  changed: ['field'],
});
