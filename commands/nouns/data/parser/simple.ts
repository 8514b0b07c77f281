import { create } from '@bufbuild/protobuf';

import { bulkAction } from '#commands/kit/bulk-action.ts';
import { createAction } from '#commands/kit/create-action.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import { enumName } from '#commands/model/wire.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';
import {
  ModemMessageBodyParserService,
  SimpleModemMessageBodyParser_Endian as Endian,
  SimpleModemMessageBodyParserSchema,
  type SimpleModemMessageBodyParser,
} from '#proto/gen/hiber/parser_pb.ts';

import { rejectInherited } from './availability.ts';
import { lostFields } from './definition-notes.ts';
import { parser } from './entity.ts';
import { idOf, isSimple, nameOf, type ParserItem } from './item.ts';
import { nameParam } from './params.ts';
import { formatSimple, parseSimple, textProblem } from './simple-fields.ts';
import { simpleProblems } from './simple-problems.ts';

const ENDIANS = p.names(Endian, ['DEFAULT']);

const simpleParams = {
  // Each field can have a note.
  fields: p.words({ maxLength: MAX_LENGTH.notes, example: ['pressure:u2', 'battery:u1'] }),
  endian: p.choice(ENDIANS, { label: (name) => message(`parser:endian.${name}`) }),
  encoding: p.text({ placeholder: 'UTF-8', clears: true }),
  documentation: p.text({ multiline: true, clears: true, maxLength: MAX_LENGTH.notes }),
};

type Defaults = Pick<SimpleModemMessageBodyParser, 'defaultEndian' | 'defaultTextEncoding' | 'documentation'>;

/** Returns a message about the first invalid field, or about the first field that the server would reject. */
function problemsOf({ fields }: { readonly fields: readonly string[] }) {
  const invalid = textProblem(fields);
  if (invalid) return { fields: invalid };
  const [problem] = simpleProblems(create(SimpleModemMessageBodyParserSchema, parseSimple(fields)));
  return problem ? { fields: problem.message } : {};
}

export const createSimple = createAction({
  entity: parser,
  verb: 'create-simple',
  requires: 'MANAGE_PARSERS',
  params: { name: required(nameParam), ...simpleParams, fields: required(simpleParams.fields) },
  positional: ['name', 'fields'],
  problems: (_context, args) => problemsOf(args),
  nameOf: ({ name }) => name.trim(),
  notes: (_context, { fields }) => [message('parser:plan.results', { fields: namesOf(fields).join(', ') })],
  call: async ({ api, organization, signal }, args) => {
    const { name, fields, endian = 'BIG_ENDIAN', encoding = 'UTF-8', documentation = '' } = args;
    const definition = create(SimpleModemMessageBodyParserSchema, {
      ...parseSimple(fields),
      name: name.trim(),
      documentation,
      defaultEndian: Endian[endian],
      defaultTextEncoding: encoding,
    });
    const created = await api(ModemMessageBodyParserService).createSimple(
      { organization, parser: definition },
      { signal },
    );
    return { id: created.identifier, label: created.name };
  },
  undo: { verb: 'delete' },
  changed: ['field'],
});

/** Returns a result's field names. */
const namesOf = (fields: readonly string[]): readonly string[] => parseSimple(fields).fields.map(({ name }) => name);

const simpleParser = (item: ParserItem): SimpleModemMessageBodyParser =>
  item.parser.simpleParser ?? create(SimpleModemMessageBodyParserSchema);

const fieldsOf = (item: ParserItem): readonly string[] => formatSimple(simpleParser(item));

interface NewDefaults {
  readonly endian?: (typeof ENDIANS)[number] | undefined;
  readonly encoding?: string | undefined;
  readonly documentation?: string | undefined;
}

/** Returns the parser's defaults with any given values applied. */
function defaultsWith(item: ParserItem, { endian, encoding, documentation }: NewDefaults): Defaults {
  const before = simpleParser(item);
  return {
    defaultEndian: endian === undefined ? before.defaultEndian : Endian[endian],
    defaultTextEncoding: encoding ?? before.defaultTextEncoding,
    documentation: documentation ?? before.documentation,
  };
}

/** Returns remarks about defaults that change. */
function defaultNotes(item: ParserItem, newDefaults: NewDefaults): readonly Message[] {
  const [before, after] = [simpleParser(item), defaultsWith(item, newDefaults)];
  return [
    ...(after.defaultEndian === before.defaultEndian
      ? []
      : [message('parser:plan.endian', { endian: message(`parser:endian.${enumName(Endian, after.defaultEndian)}`) })]),
    ...(after.defaultTextEncoding === before.defaultTextEncoding
      ? []
      : [message('parser:plan.encoding', { encoding: after.defaultTextEncoding || 'UTF-8' })]),
    ...(after.documentation === before.documentation ? [] : [message('parser:plan.documentation')]),
  ];
}

const isChanged = (item: ParserItem, fields: readonly string[], defaults: NewDefaults): boolean =>
  fields.join('\n') !== fieldsOf(item).join('\n') || defaultNotes(item, defaults).length > 0;

/** Replaces the fields of simple parsers and regenerates their definitions. */
export const setSimpleFields = bulkAction({
  entity: parser,
  verb: 'set-fields',
  requires: 'MANAGE_PARSERS',
  params: { ...simpleParams, fields: required(simpleParams.fields) },
  positional: ['fields'],
  validate: (context, items) => {
    rejectInherited(context, items);
    const other = items.find((item) => !isSimple(item));
    if (other) throw new CommandError(message('parser:validation.notSimple', { name: nameOf(other) }));
  },
  initial: ([first, ...others]) => ({ values: first && others.length === 0 ? { fields: fieldsOf(first) } : {} }),
  problems: (_context, args) => problemsOf(args),
  appliesTo: (item, { fields, ...defaults }) => isChanged(item, fields, defaults),
  change: (item, { fields }) => {
    const before = fieldsOf(item);
    return {
      field: message('parser:fields.fields'),
      added: fields.filter((field) => !before.includes(field)),
      removed: before.filter((field) => !fields.includes(field)),
    };
  },
  notes: (_context, items, { fields, ...defaults }) =>
    items.flatMap((item) => [
      ...defaultNotes(item, defaults),
      ...lostFields(
        item,
        simpleParser(item).fields.map(({ name }) => name),
        namesOf(fields),
      ),
    ]),
  undo: (items) =>
    items.map((item) => {
      const { defaultEndian, defaultTextEncoding: encoding, documentation } = simpleParser(item);
      // The server defaults to big-endian.
      const endian = ENDIANS.find((name) => Endian[name] === defaultEndian) ?? 'BIG_ENDIAN';
      const args = { parsers: { ids: [idOf(item)] }, fields: fieldsOf(item), endian, encoding, documentation };
      return { id: 'parser.set-fields', args };
    }),
  size: 1,
  call: async ({ api, organization, signal }, [item], { fields, ...defaults }) => {
    const { identifier, name } = item!.parser;
    const definition = create(SimpleModemMessageBodyParserSchema, {
      ...parseSimple(fields),
      ...defaultsWith(item!, defaults),
      // The name of the parser, because the definition keeps the name that the parser was created with.
      name,
    });
    await api(ModemMessageBodyParserService).updateSimple({ organization, identifier, parser: definition }, { signal });
  },
  changed: ['field'],
});
