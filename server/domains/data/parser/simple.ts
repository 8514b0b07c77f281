import { stringify } from 'yaml';

import { reduceName } from '#commands/text/reduce-name.ts';
import {
  type SimpleModemMessageBodyParser,
  SimpleModemMessageBodyParser_Endian as Endian,
  type SimpleModemMessageBodyParser_DelimitedSize,
  type SimpleModemMessageBodyParser_Field,
} from '#proto/gen/hiber/parser_pb.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { shorten } from '#server/wire/text.ts';

/** The maximum number of levels of custom types. */
const MAX_TYPE_DEPTH = 10;
const INTEGER_SIZES = [1, 2, 4, 8];
const FLOAT_SIZES = [4, 8];

/** The custom types in scope: a type's own and those of the types around it. */
type Scope = ReadonlySet<string>;

/**
 * Generates the Kaitai Struct definition of a simple parser.
 *
 * @throws ConnectError INVALID_ARGUMENT, naming the field
 */
export function generateDefinition(parser: SimpleModemMessageBodyParser): string {
  const { meta, ...type } = createType(parser, new Set(), 1);
  const encoding = parser.defaultTextEncoding.trim() || 'UTF-8';
  // Without a default, numbers are in network order (not specified in the contract).
  const endian = endianOf(parser.defaultEndian) ?? 'be';
  return stringify(
    { meta: { id: requireName(parser.name, 'The parser'), ...meta, endian, encoding }, ...type },
    { lineWidth: 0 },
  );
}

interface GeneratedType {
  readonly meta?: { readonly endian?: string; readonly encoding?: string };
  readonly doc?: string;
  readonly seq: readonly Record<string, unknown>[];
  readonly types?: Readonly<Record<string, GeneratedType>>;
}

function createType(parser: SimpleModemMessageBodyParser, outer: Scope, depth: number): GeneratedType {
  if (depth > MAX_TYPE_DEPTH)
    throw invalidArgument(`Custom types can be nested at most ${MAX_TYPE_DEPTH} levels deep.`);
  const names = parser.customTypes.map(({ name }) => requireName(name, 'A custom type'));
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw invalidArgument(`Two custom types are named ${duplicate}.`);
  const scope = new Set([...outer, ...names]);
  const types = parser.customTypes.map((type, index): [string, GeneratedType] => [
    names[index] as string,
    createType(type, scope, depth + 1),
  ]);
  const endian = endianOf(parser.defaultEndian);
  const encoding = parser.defaultTextEncoding.trim();
  const meta = { ...(endian === undefined ? {} : { endian }), ...(encoding === '' ? {} : { encoding }) };
  return {
    ...(Object.keys(meta).length > 0 ? { meta } : {}),
    ...createDoc(parser.documentation),
    seq: createSequence(parser.fields, scope),
    ...(types.length > 0 ? { types: Object.fromEntries(types) } : {}),
  };
}

function createSequence(
  fields: readonly SimpleModemMessageBodyParser_Field[],
  scope: Scope,
): Record<string, unknown>[] {
  const names = new Set<string>();
  /** Integer fields, which can hold a size. */
  const integers = new Set<string>();
  return fields.map((field) => {
    const id = requireName(field.name, 'A field');
    if (names.has(id)) throw invalidArgument(`Two fields are named ${id}.`);
    const attribute = { id, ...createDoc(field.documentation), ...createAttribute(id, field, scope, integers) };
    names.add(id);
    if (field.type.case === 'integer') integers.add(id);
    return attribute;
  });
}

function createAttribute(
  id: string,
  { type }: SimpleModemMessageBodyParser_Field,
  scope: Scope,
  integers: ReadonlySet<string>,
): Record<string, unknown> {
  switch (type.case) {
    case 'integer': {
      const { sizeBytes, signed, endian } = type.value;
      requireSize(id, sizeBytes, INTEGER_SIZES);
      const suffix = sizeBytes === 1 ? '' : (endianOf(endian) ?? '');
      return { type: `${signed ? 's' : 'u'}${sizeBytes}${suffix}` };
    }
    case 'float':
      requireSize(id, type.value.sizeBytes, FLOAT_SIZES);
      return { type: `f${type.value.sizeBytes}${endianOf(type.value.endian) ?? ''}` };
    case 'bytes':
      return createSize(id, type.value.size, integers);
    case 'string': {
      const encoding = type.value.encoding.trim();
      return { type: 'str', ...(encoding === '' ? {} : { encoding }), ...createSize(id, type.value.size, integers) };
    }
    case 'magic':
      if (type.value.length === 0) throw invalidArgument(`The field ${id} needs the bytes that it always has.`);
      return { contents: [...type.value] };
    case 'customType': {
      const name = requireName(type.value, `The type of the field ${id}`);
      if (!scope.has(name))
        throw invalidArgument(`The field ${id} has the type ${name}, which isn't among the custom types.`);
      return { type: name };
    }
    default:
      throw invalidArgument(`The field ${id} needs a type.`);
  }
}

function requireSize(id: string, size: number, allowed: readonly number[]): void {
  if (allowed.includes(size)) return;
  throw invalidArgument(
    `The field ${id} can have ${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)} bytes, not ${size}.`,
  );
}

function createSize(
  id: string,
  delimited: SimpleModemMessageBodyParser_DelimitedSize | undefined,
  integers: ReadonlySet<string>,
): Record<string, unknown> {
  const { size, terminator = new Uint8Array() } = delimited ?? {};
  if (terminator.length > 1) throw invalidArgument(`The terminator of the field ${id} can only be one byte.`);
  if (terminator.length === 0 && size?.case === undefined) {
    throw invalidArgument(
      `The field ${id} needs a size: in bytes, to the end, or in an earlier field; or a terminator.`,
    );
  }
  const end = terminator.length === 0 ? {} : { terminator: terminator[0] };
  switch (size?.case) {
    case 'sizeBytes':
      if (size.value < 0) throw invalidArgument(`The field ${id} has the size ${size.value}.`);
      return { size: size.value, ...end };
    case 'fieldName': {
      const name = requireName(size.value, `The size of the field ${id}`);
      if (!integers.has(name)) {
        throw invalidArgument(`The size of the field ${id} is in ${name}, which isn't an integer field before it.`);
      }
      return { size: name, ...end };
    }
    case 'endOfStream':
      return { 'size-eos': true, ...end };
    default:
      return end;
  }
}

function endianOf(endian: Endian): 'le' | 'be' | undefined {
  if (endian === Endian.LITTLE_ENDIAN) return 'le';
  return endian === Endian.BIG_ENDIAN ? 'be' : undefined;
}

const createDoc = (documentation: string) => (documentation.trim() === '' ? {} : { doc: documentation });

/** Reduces a name and rejects one without letters. */
function requireName(name: string, subject: string): string {
  const reduced = reduceName(name);
  if (reduced === '')
    throw invalidArgument(`${subject} needs a name with a letter from a to z; it has "${shorten(name)}".`);
  return reduced;
}
