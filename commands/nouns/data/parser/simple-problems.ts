import { message, type Message } from '#commands/text/message.ts';
import { reduceName } from '#commands/text/reduce-name.ts';
import type {
  SimpleModemMessageBodyParser as SimpleParser,
  SimpleModemMessageBodyParser_DelimitedSize as DelimitedSize,
  SimpleModemMessageBodyParser_Field as SimpleField,
} from '#proto/gen/hiber/parser_pb.ts';

/** The largest number of bytes that the contract can represent. */
const MAX_SIZE = 2 ** 31 - 1;

/** True for a number of bytes that a field can have. */
export const isSize = (bytes: number): boolean => bytes >= 0 && bytes <= MAX_SIZE;

/** A part of a simple parser: a field of a type, or the type itself. Types are indexes from the outermost type. */
export interface SimplePart {
  readonly types: readonly number[];
  /** The index of the field. Absent for the type. */
  readonly field?: number;
}

export interface SimpleProblem extends SimplePart {
  readonly message: Message;
  /** Set if the problem is the text encoding. */
  readonly isEncoding?: boolean;
}

const problem = (key: string, values: Record<string, string> = {}): Message =>
  message(`parser:validation.simple.${key}`, values);

/** Predicts what the server would reject about a simple parser, part by part. */
export function simpleProblems(parser: SimpleParser): readonly SimpleProblem[] {
  return typeProblems(parser, { types: [], around: [], outerNames: new Set() });
}

interface TypePlace {
  /** The indexes of the type. */
  readonly types: readonly number[];
  /** The names of the types around its types, without the parser. */
  readonly around: readonly string[];
  /** The names of the types that are declared outside. */
  readonly outerNames: ReadonlySet<string>;
}

function typeProblems(type: SimpleParser, { types, around, outerNames }: TypePlace): readonly SimpleProblem[] {
  const typeNames = type.customTypes.map(({ name }) => reduceName(name));
  const scope = new Set([...outerNames, ...typeNames]);
  const names = type.fields.map(({ name }) => reduceName(name));
  const fieldProblems = type.fields.flatMap((field, index) => {
    const integers = type.fields
      .slice(0, index)
      .flatMap((earlier, at) => (earlier.type.case === 'integer' ? names[at]! : []));
    const found = nameProblem(names, index) ?? fieldProblem(field, integers, scope);
    return found ? [{ types, field: index, message: found }] : [];
  });
  const customTypeProblems = type.customTypes.flatMap((custom, index) => {
    const path = [...types, index];
    const found = typeNameProblem(typeNames, index, around);
    const place = { types: path, around: [...around, typeNames[index]!], outerNames: scope };
    return [...(found ? [{ types: path, message: found }] : []), ...typeProblems(custom, place)];
  });
  return [...fieldProblems, ...customTypeProblems];
}

function nameProblem(names: readonly string[], index: number): Message | undefined {
  const name = names[index]!;
  if (name === '') return problem('name');
  // Names that differ only in underscores are the same name in generated code.
  const other = names.slice(0, index).find((earlier) => earlier.replaceAll('_', '') === name.replaceAll('_', ''));
  if (other === undefined) return undefined;
  return other === name ? problem('duplicate', { name }) : problem('underscores', { name, other });
}

/** Returns the name of a type in generated code. */
const classNameOf = (name: string): string =>
  name
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

function typeNameProblem(names: readonly string[], index: number, around: readonly string[]): Message | undefined {
  const name = names[index]!;
  if (name === '') return problem('name');
  const isSame = (other: string): boolean => classNameOf(other) === classNameOf(name);
  const other = names.slice(0, index).find(isSame);
  if (other !== undefined)
    return other === name ? problem('duplicateType', { name }) : problem('underscores', { name, other });
  const outer = around.find(isSame);
  return outer === undefined ? undefined : problem('nestedType', { name, outer });
}

function fieldProblem(
  { type }: SimpleField,
  integers: readonly string[],
  scope: ReadonlySet<string>,
): Message | undefined {
  switch (type.case) {
    case 'bytes':
    case 'string':
      return sizeProblem(type.value.size, integers);
    case 'magic':
      return type.value.length === 0 ? problem('magic') : undefined;
    case 'customType':
      return scope.has(reduceName(type.value)) ? undefined : problem('customType', { name: type.value });
    case undefined:
      return problem('type');
    default:
      return undefined;
  }
}

function sizeProblem(delimited: DelimitedSize | undefined, integers: readonly string[]): Message | undefined {
  const { size, terminator } = delimited ?? {};
  if ((terminator?.length ?? 0) > 1) return problem('terminator');
  if (size?.case === undefined) return terminator?.length ? undefined : problem('size');
  if (size.case === 'sizeBytes' && !isSize(size.value)) return problem('bytes');
  if (size.case !== 'fieldName' || integers.includes(reduceName(size.value))) return undefined;
  return problem('sizeField', { name: size.value });
}
