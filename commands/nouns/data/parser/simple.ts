import { create, type MessageInitShape } from '@bufbuild/protobuf';

import { bulkAction } from '#commands/kit/bulk-action.ts';
import { command } from '#commands/model/command.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import { maybeChanged } from '#commands/model/result.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';
import {
  ModemMessageBodyParserService,
  SimpleModemMessageBodyParser_Endian as Endian,
  SimpleModemMessageBodyParserSchema,
} from '#proto/gen/hiber/parser_pb.ts';

import { refuseInherited } from './availability.ts';
import { parser } from './entity.ts';
import { idOf, isSimple, nameOf, type ParserItem } from './item.ts';
import { nameParam } from './params.ts';
import { fieldProblem, formatField, parseFields } from './simple-fields.ts';

const ENDIANS = p.names(Endian, ['DEFAULT']);

const endianParam = p.choice(ENDIANS, { label: (name) => message(`parser:endian.${name}`) });

const simpleParams = {
  fields: p.words({ maxLength: MAX_LENGTH.fieldPath }),
  endian: endianParam,
  encoding: p.text({ placeholder: 'UTF-8' }),
};

export const createSimple = command({
  id: 'parser.create-simple',
  requires: 'MANAGE_PARSERS',
  effect: 'write',
  params: { name: required(nameParam), ...simpleParams, fields: required(simpleParams.fields) },
  positional: ['name', 'fields'],
  problems: (_context, { fields }) => {
    const problem = fieldProblem(fields);
    return problem ? { fields: problem } : {};
  },
  plan: async (_context, { name, fields }) => ({
    summary: message('parser:plan.createSimple', { name }),
    count: 1,
    changes: [],
    notes: [message('parser:plan.results', { fields: fields.join(', ') })],
    reversible: true,
  }),
  run: async (context, { name, fields, endian = 'BIG_ENDIAN', encoding = 'UTF-8' }) => {
    const definition: MessageInitShape<typeof SimpleModemMessageBodyParserSchema> = {
      name: name.trim(),
      fields: parseFields(fields),
      defaultEndian: Endian[endian],
      defaultTextEncoding: encoding,
    };
    const request = { organization: context.organization.id, parser: definition };
    const created = await context.api(ModemMessageBodyParserService).createSimple(request, { signal: context.signal });
    return {
      changed: ['parser', 'field'],
      results: [{ id: created.identifier, label: created.name }],
      message: message('parser:done.uploaded', { name: created.name }),
      data: { id: created.identifier },
    };
  },
  inverse: (_args, outcome) => {
    const ids = maybeChanged(outcome).map(({ id }) => id);
    return ids.length === 0 ? [] : [{ id: 'parser.delete', args: { parsers: { ids } } }];
  },
});

/** Returns the fields of a simple parser as text. Undefined if the text cannot express all of them. */
function textsOf({ parser: { simpleParser } }: ParserItem): readonly string[] | undefined {
  const texts = (simpleParser?.fields ?? []).map(formatField);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function requireSimple(item: ParserItem): void {
  if (!isSimple(item)) throw new CommandError(message('parser:validation.notSimple', { name: nameOf(item) }));
  if (textsOf(item) === undefined)
    throw new CommandError(message('parser:validation.customTypes', { name: nameOf(item) }));
}

/** Replaces the fields of simple parsers; their definitions are generated again. */
export const setSimpleFields = bulkAction({
  entity: parser,
  verb: 'set-fields',
  requires: 'MANAGE_PARSERS',
  params: { fields: required(simpleParams.fields) },
  positional: ['fields'],
  refuse: (context, items) => {
    refuseInherited(context, items);
    for (const item of items) requireSimple(item);
  },
  initial: ([first, ...others]) => {
    const fields = first && others.length === 0 ? textsOf(first) : undefined;
    return { values: fields ? { fields } : {} };
  },
  problems: (_context, { fields }) => {
    const problem = fieldProblem(fields);
    return problem ? { fields: problem } : {};
  },
  applies: (item, { fields }) => fields.join('\n') !== textsOf(item)?.join('\n'),
  change: (item, { fields }) => {
    const before = textsOf(item) ?? [];
    return {
      field: message('parser:fields.fields'),
      added: fields.filter((field) => !before.includes(field)),
      removed: before.filter((field) => !fields.includes(field)),
    };
  },
  undo: (items) =>
    items.map((item) => ({
      id: 'parser.set-fields',
      args: { parsers: { ids: [idOf(item)] }, fields: textsOf(item) ?? [] },
    })),
  size: 1,
  call: async ({ api, organization, signal }, [item], { fields }) => {
    const { simpleParser, identifier } = item!.parser;
    const { fields: newFields } = create(SimpleModemMessageBodyParserSchema, { fields: parseFields(fields) });
    const request = { organization, identifier, parser: { ...simpleParser!, fields: newFields } };
    await api(ModemMessageBodyParserService).updateSimple(request, { signal });
  },
  changed: ['field'],
});
