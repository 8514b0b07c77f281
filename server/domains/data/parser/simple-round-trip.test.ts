import { create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { formatSimple, parseSimple, textProblem } from '#commands/nouns/data/parser/simple-fields.ts';
import { simpleProblems } from '#commands/nouns/data/parser/simple-problems.ts';
import { reduceName } from '#commands/text/reduce-name.ts';
import {
  SimpleModemMessageBodyParser_Endian as Endian,
  SimpleModemMessageBodyParserSchema as ParserSchema,
  type SimpleModemMessageBodyParser as SimpleParser,
  type SimpleModemMessageBodyParser_Field as SimpleField,
  SimpleModemMessageBodyParser_FieldSchema as FieldSchema,
} from '#proto/gen/hiber/parser_pb.ts';
import { compile } from '#server/parsing/workers/definition.mjs';

import { generateDefinition } from './simple.ts';

// What the form of the parser bench can hold is saved as the texts of a command, from which the server generates a
// definition.

const endian = fc.constantFrom(Endian.DEFAULT, Endian.LITTLE_ENDIAN, Endian.BIG_ENDIAN);
const name = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('a', 'b', 'c', 'Level (mm)', 'level_1', 'level1', 'x:y/z#1', 'until') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('  spaced out ', 'Ölstand', '1', '', '__proto__', 'constructor', 'type', 'io'),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
);
const bytes = (maxLength: number) => fc.uint8Array({ maxLength });
const note = fc.oneof(fc.constant(''), fc.string({ maxLength: 20 }), fc.constantFrom('a # b: c\nd "e"', '*/ throw 1'));
const delimited = fc.record({
  size: fc.oneof(
    fc.constant({ case: undefined }),
    fc.record({ case: fc.constant('sizeBytes' as const), value: fc.integer({ min: -1, max: 300 }) }),
    fc.constant({ case: 'endOfStream' as const, value: true }),
    fc.record({ case: fc.constant('fieldName' as const), value: name }),
  ),
  terminator: bytes(2),
});
const encoding = fc.constantFrom('', 'ascii', 'UTF-8', 'utf-16le', 'iso-8859-15');
const type = fc.oneof(
  fc.record({
    case: fc.constant('integer' as const),
    value: fc.record({ sizeBytes: fc.constantFrom(1, 2, 4, 8), signed: fc.boolean(), endian }),
  }),
  fc.record({
    case: fc.constant('float' as const),
    value: fc.record({ sizeBytes: fc.constantFrom(4, 8), endian }),
  }),
  fc.record({ case: fc.constant('bytes' as const), value: fc.record({ size: delimited }) }),
  fc.record({ case: fc.constant('string' as const), value: fc.record({ size: delimited, encoding }) }),
  fc.record({ case: fc.constant('magic' as const), value: bytes(3) }),
  fc.record({ case: fc.constant('customType' as const), value: name }),
);
const field = fc.record({ name, documentation: note, type });
const { parser } = fc.letrec((tie) => ({
  parser: fc.record({
    name,
    documentation: note,
    defaultEndian: endian,
    defaultTextEncoding: encoding,
    fields: fc.array(field, { maxLength: 5 }),
    customTypes: fc.oneof(
      { depthSize: 'small', maxDepth: 2 },
      fc.constant([]),
      fc.array(tie('parser'), { maxLength: 2 }),
    ),
  }),
}));
const anyParser = parser.map((init) => create(ParserSchema, init as SimpleParser));
/** Only what the form would save. */
const validParser = anyParser.map((candidate) => withoutProblems({ ...candidate, name: 'p' }));

/** Removes whatever has a problem, until nothing has. */
function withoutProblems(candidate: SimpleParser): SimpleParser {
  const [problem] = simpleProblems(candidate);
  if (!problem) return candidate;
  const remove = (from: SimpleParser, [index, ...inner]: readonly number[]): SimpleParser => {
    if (index === undefined) return { ...from, fields: from.fields.filter((_, at) => at !== problem.field) };
    if (inner.length === 0 && problem.field === undefined)
      return { ...from, customTypes: from.customTypes.filter((_, at) => at !== index) };
    return { ...from, customTypes: from.customTypes.map((item, at) => (at === index ? remove(item, inner) : item)) };
  };
  return withoutProblems(remove(candidate, problem.types));
}

interface Generated {
  readonly meta: unknown;
  readonly seq: readonly { readonly id: string }[];
  readonly types?: Readonly<Record<string, Generated>>;
}

/** A definition without its prose, whose white space the texts of a command do not keep. */
const withoutProse = (definition: string): Generated =>
  JSON.parse(JSON.stringify(parse(definition), (key, value: unknown) => (key === 'doc' ? undefined : value)));

interface Names {
  readonly fields: readonly string[];
  readonly types: readonly (readonly [string, Names])[];
}

const generatedNames = ({ seq, types = {} }: Generated): Names => ({
  fields: seq.map(({ id }) => id),
  types: Object.entries(types).map(([key, type]) => [key, generatedNames(type)]),
});

const formNames = ({ fields, customTypes }: SimpleParser): Names => ({
  fields: fields.map((item) => reduceName(item.name)),
  types: customTypes.map((item) => [reduceName(item.name), formNames(item)]),
});

const compileSimple = async (simple: SimpleParser) => compile(generateDefinition(simple));

describe('a simple parser', () => {
  test('is rejected by the server if and only if the form shows a problem', async () => {
    await fc.assert(
      fc.asyncProperty(validParser, field, async (valid, init) => {
        const candidate = { ...valid, fields: [...valid.fields, create(FieldSchema, init as SimpleField)] };
        const isCompiled = await compileSimple(candidate).then(
          () => true,
          () => false,
        );
        expect(isCompiled).toBe(simpleProblems(candidate).length === 0);
      }),
      { numRuns: 150 },
    );
  });

  test('gives the same definition after it was saved as texts', () => {
    fc.assert(
      fc.property(validParser, (valid) => {
        const texts = formatSimple(valid);
        expect(textProblem(texts)).toBeUndefined();
        const saved = create(ParserSchema, { ...valid, ...parseSimple(texts) });
        expect(simpleProblems(saved)).toEqual([]);
        expect(withoutProse(generateDefinition(saved))).toEqual(withoutProse(generateDefinition(valid)));
        // The texts stay the same from then on, so an unchanged form is not a change.
        expect(formatSimple(saved)).toEqual(texts);
      }),
      { numRuns: 200 },
    );
  });

  test('becomes a definition with the same fields and types, in the same order', () => {
    fc.assert(
      fc.property(validParser, (valid) => {
        expect(generatedNames(parse(generateDefinition(valid)) as Generated)).toEqual(formNames(valid));
      }),
      { numRuns: 200 },
    );
  });
});
