import { create, createFileRegistry, type DescFile } from '@bufbuild/protobuf';
import { protoCamelCase } from '@bufbuild/protobuf/reflect';
import {
  DescriptorProtoSchema,
  EnumDescriptorProtoSchema,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  OneofDescriptorProtoSchema,
  ServiceDescriptorProtoSchema,
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  type FileDescriptorProto,
  type ServiceDescriptorProto,
} from '@bufbuild/protobuf/wkt';

/** Builds a file descriptor, like the generated code's `fileDesc`, from the text that `write.ts` produces. */
export function compactFile(text: string, imports: readonly DescFile[] = []): DescFile {
  const file = descriptorOf(text);
  file.dependency = imports.map(({ proto }) => proto.name);
  const registry = createFileRegistry(file, (name) => imports.find(({ proto }) => proto.name === name));
  return registry.getFile(file.name) as DescFile;
}

/** Parses the text into a descriptor, without the imports. */
export function descriptorOf(text: string): FileDescriptorProto {
  const lines = text.split('\n').values();
  const [name = '', scope = ''] = (lines.next().value ?? '').split(' ');
  const file = create(FileDescriptorProtoSchema, { name, package: scope, syntax: 'proto3' });
  for (const line of lines) {
    if (line.startsWith('{')) file.messageType.push(messageOf(line, lines, `.${scope}.`));
    else if (line.startsWith('!')) file.enumType.push(enumOf(line));
    else file.service.push(serviceOf(line, lines, `.${scope}.`));
  }
  return file;
}

type Lines = Iterator<string, undefined>;

/** Yields the lines up to the closing `}`. */
function* linesOfBlock(lines: Lines): Generator<string, void> {
  for (let line = lines.next().value; line !== undefined && line !== '}'; line = lines.next().value) yield line;
}

function messageOf(opening: string, lines: Lines, scope: string): DescriptorProto {
  const [name = '', map] = opening.slice(1).split('#');
  const message = create(DescriptorProtoSchema, {
    name,
    ...(map === undefined ? {} : { options: { mapEntry: true } }),
  });
  let last = 0;
  for (const line of linesOfBlock(lines)) {
    if (line.startsWith('{')) message.nestedType.push(messageOf(line, lines, scope));
    else if (line.startsWith('!')) message.enumType.push(enumOf(line));
    else if (line.startsWith('|')) message.oneofDecl.push(create(OneofDescriptorProtoSchema, { name: line.slice(1) }));
    else {
      const field = fieldOf(line, last + 1, scope);
      message.field.push(field);
      last = field.number;
    }
  }
  return message;
}

/** A field: its name, optional number and mark, then its type (see `write.ts`). */
const FIELD = /^(\w+)(?:=(\d+))?(\*|\?|\|(\d+))? (!)?(\S+)$/;

function fieldOf(line: string, next: number, scope: string): FieldDescriptorProto {
  const [, name = '', number, mark, oneof, isEnum, type = ''] = FIELD.exec(line) ?? [];
  const namedKind = isEnum ? 'ENUM' : 'MESSAGE';
  const kind = /^[a-z]/.test(type) ? (type.toUpperCase() as keyof typeof FieldDescriptorProto_Type) : namedKind;
  return create(FieldDescriptorProtoSchema, {
    name,
    number: number === undefined ? next : Number(number),
    label: mark === '*' ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL,
    type: FieldDescriptorProto_Type[kind],
    ...(kind === namedKind ? { typeName: qualify(type, scope) } : {}),
    ...(mark === '?' ? { proto3Optional: true } : {}),
    ...(oneof === undefined ? {} : { oneofIndex: Number(oneof) }),
    jsonName: protoCamelCase(name),
  });
}

function qualify(type: string, scope: string): string {
  return type.startsWith('.') ? type : scope + type;
}

function enumOf(line: string): EnumDescriptorProto {
  const [name = '', ...values] = line.slice(1).split(' ');
  let last = -1;
  return create(EnumDescriptorProtoSchema, {
    name,
    value: values.map((text) => {
      const [valueName = '', number] = text.split('=');
      last = number === undefined ? last + 1 : Number(number);
      return { name: valueName, number: last };
    }),
  });
}

function serviceOf(opening: string, lines: Lines, scope: string): ServiceDescriptorProto {
  const method = [...linesOfBlock(lines)].map((line) => {
    const [name = '', input = '', output = ''] = line.split(' ');
    return {
      name: name.replace('*', ''),
      inputType: qualify(input, scope),
      outputType: qualify(output, scope),
      ...(name.endsWith('*') ? { serverStreaming: true } : {}),
    };
  });
  return create(ServiceDescriptorProtoSchema, { name: opening.slice(1), method });
}
