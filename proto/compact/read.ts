import { createFileRegistry, type DescFile } from '@bufbuild/protobuf';
import { protoCamelCase } from '@bufbuild/protobuf/reflect';
import type {
  DescriptorProto,
  EnumDescriptorProto,
  EnumValueDescriptorProto,
  FieldDescriptorProto,
  FileDescriptorProto,
  MessageOptions,
  MethodDescriptorProto,
  OneofDescriptorProto,
  ServiceDescriptorProto,
} from '@bufbuild/protobuf/wkt';

// Creates plain objects with the properties that the library reads from a descriptor. Messages of descriptor.proto
// would take 5 KB of the first load for their own descriptors.

/** A descriptor without the optional properties, for which the library also accepts undefined; enums as numbers. */
type Plain<Proto> = { readonly [Key in keyof Proto]?: Proto[Key] extends number ? number : Proto[Key] };

const plain = <Proto>(proto: Plain<Proto>): Proto => proto as Proto;

/** Field types, in order of their number in descriptors, starting at 1. */
const TYPES =
  'double float int64 uint64 int32 fixed64 fixed32 bool string group message bytes uint32 enum sfixed32 sfixed64 sint32 sint64'.split(
    ' ',
  );
const OPTIONAL = 1;
const REPEATED = 3;

/** Builds a file descriptor, like the generated code's `fileDesc`, from the text that `write.ts` produces. */
export function compactFile(text: string, imports: readonly DescFile[] = []): DescFile {
  const file = parseDescriptor(text);
  file.dependency = imports.map(({ proto }) => proto.name);
  const registry = createFileRegistry(file, (name) => imports.find(({ proto }) => proto.name === name));
  return registry.getFile(file.name) as DescFile;
}

/** Parses the text into a descriptor, without the imports. */
export function parseDescriptor(text: string): FileDescriptorProto {
  const lines = text.split('\n').values();
  const [name = '', scope = ''] = (lines.next().value ?? '').split(' ');
  const file = plain<FileDescriptorProto>({
    $typeName: 'google.protobuf.FileDescriptorProto',
    name,
    package: scope,
    syntax: 'proto3',
    dependency: [],
    messageType: [],
    enumType: [],
    service: [],
    extension: [],
  });
  for (const line of lines) {
    if (line.startsWith('{')) file.messageType.push(parseMessage(line, lines, `.${scope}.`));
    else if (line.startsWith('!')) file.enumType.push(parseEnum(line));
    else file.service.push(parseService(line, lines, `.${scope}.`));
  }
  return file;
}

type Lines = Iterator<string, undefined>;

/** Yields the lines up to the closing `}`. */
function* linesOfBlock(lines: Lines): Generator<string, void> {
  for (let line = lines.next().value; line !== undefined && line !== '}'; line = lines.next().value) yield line;
}

function parseMessage(opening: string, lines: Lines, scope: string): DescriptorProto {
  const [name = '', map] = opening.slice(1).split('#');
  const message = plain<DescriptorProto>({
    name,
    field: [],
    nestedType: [],
    enumType: [],
    extension: [],
    oneofDecl: [],
    ...(map === undefined ? {} : { options: plain<MessageOptions>({ mapEntry: true }) }),
  });
  let last = 0;
  for (const line of linesOfBlock(lines)) {
    if (line.startsWith('{')) message.nestedType.push(parseMessage(line, lines, scope));
    else if (line.startsWith('!')) message.enumType.push(parseEnum(line));
    else if (line.startsWith('|')) message.oneofDecl.push(plain<OneofDescriptorProto>({ name: line.slice(1) }));
    else {
      const field = parseField(line, last + 1, scope);
      message.field.push(field);
      last = field.number;
    }
  }
  return message;
}

/** A field: its name, optional number, and mark, then its type (see `write.ts`). */
const FIELD = /^(\w+)(?:=(\d+))?(\*|\?|\|(\d+))? (!)?(\S+)$/;

function parseField(line: string, next: number, scope: string): FieldDescriptorProto {
  const [, name = '', number, mark, oneof, isEnum, type = ''] = FIELD.exec(line) ?? [];
  const isScalar = /^[a-z]/.test(type);
  const kind = isScalar ? type : isEnum ? 'enum' : 'message';
  return plain<FieldDescriptorProto>({
    name,
    number: number === undefined ? next : Number(number),
    label: mark === '*' ? REPEATED : OPTIONAL,
    type: TYPES.indexOf(kind) + 1,
    ...(isScalar ? {} : { typeName: qualify(type, scope) }),
    ...(mark === '?' ? { proto3Optional: true } : {}),
    ...(oneof === undefined ? {} : { oneofIndex: Number(oneof) }),
    jsonName: protoCamelCase(name),
  });
}

function qualify(type: string, scope: string): string {
  return type.startsWith('.') ? type : scope + type;
}

function parseEnum(line: string): EnumDescriptorProto {
  const [name = '', ...values] = line.slice(1).split(' ');
  let last = -1;
  return plain<EnumDescriptorProto>({
    name,
    value: values.map((text) => {
      const [valueName = '', number] = text.split('=');
      last = number === undefined ? last + 1 : Number(number);
      return plain<EnumValueDescriptorProto>({ name: valueName, number: last });
    }),
  });
}

function parseService(opening: string, lines: Lines, scope: string): ServiceDescriptorProto {
  const method = [...linesOfBlock(lines)].map((line) => {
    const [name = '', input = '', output = ''] = line.split(' ');
    return plain<MethodDescriptorProto>({
      name: name.replace('*', ''),
      inputType: qualify(input, scope),
      outputType: qualify(output, scope),
      ...(name.endsWith('*') ? { serverStreaming: true } : {}),
    });
  });
  return plain<ServiceDescriptorProto>({ name: opening.slice(1), method });
}
