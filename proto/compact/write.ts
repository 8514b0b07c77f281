import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  type FileDescriptorProto,
  type ServiceDescriptorProto,
} from '@bufbuild/protobuf/wkt';

// A descriptor as a text with a line for each thing declared, which `read.ts` takes apart: gzip finds in it what repeats, which the lengths
// before every part of the binary form hide. Left out is what no client reads: reserved numbers, deprecations, and the names of synthetic oneofs.

/** The text of a proto3 file. What it imports is not in it: the generated code says that. @throws Error for what the text cannot say. */
export function compactText(file: FileDescriptorProto): string {
  const { name, messageType, enumType, service, extension, syntax } = file;
  if (syntax !== 'proto3' || extension.length > 0) throw new Error(`${name}: only proto3 without extensions`);
  return [
    `${name} ${file.package}`,
    ...messageType.flatMap((proto) => messageLines(proto, `.${file.package}.`)),
    ...enumType.flatMap(enumLines),
    ...service.flatMap((proto) => serviceLines(proto, `.${file.package}.`)),
  ].join('\n');
}

/** Oneofs, fields, and what is declared within, up to a line `}`. */
function messageLines(proto: DescriptorProto, scope: string): string[] {
  // protoc puts the synthetic ones, of one optional field each, behind the others.
  const synthetic = proto.field.filter((fieldDescriptorProto) => fieldDescriptorProto.proto3Optional).length;
  const lines = proto.oneofDecl.slice(0, proto.oneofDecl.length - synthetic).map(({ name }) => `|${name}`);
  let last = 0;
  for (const field of proto.field) {
    const number = field.number === last + 1 ? '' : `=${field.number}`;
    lines.push(`${field.name}${number}${marks(field)} ${typeOf(field, scope)}`);
    last = field.number;
  }
  return [
    `{${proto.name}${proto.options?.mapEntry ? '#' : ''}`,
    ...lines,
    ...proto.nestedType.flatMap((descriptorProto) => messageLines(descriptorProto, scope)),
    ...proto.enumType.flatMap(enumLines),
    '}',
  ];
}

function marks(field: FieldDescriptorProto): string {
  if (field.label === FieldDescriptorProto_Label.REPEATED) return '*';
  if (field.proto3Optional) return '?';
  return Object.hasOwn(field, 'oneofIndex') ? `|${field.oneofIndex}` : '';
}

/** A scalar as in the source, an enum after `!`; a type of the same package without that. */
function typeOf({ type, typeName }: FieldDescriptorProto, scope: string): string {
  if (!typeName) return FieldDescriptorProto_Type[type].toLowerCase();
  return `${type === FieldDescriptorProto_Type.ENUM ? '!' : ''}${shortened(typeName, scope)}`;
}

function shortened(typeName: string, scope: string): string {
  return typeName.startsWith(scope) ? typeName.slice(scope.length) : typeName;
}

function enumLines({ name, value }: EnumDescriptorProto): string[] {
  let last = -1;
  const values = value.map((proto) => {
    const number = proto.number === last + 1 ? '' : `=${proto.number}`;
    last = proto.number;
    return `${proto.name}${number}`;
  });
  return [`!${name} ${values.join(' ')}`];
}

function serviceLines({ name, method }: ServiceDescriptorProto, scope: string): string[] {
  const methods = method.map((proto) => {
    if (proto.clientStreaming) throw new Error(`${name}.${proto.name}: a browser cannot stream to a server`);
    const types = [proto.inputType, proto.outputType].map((type) => shortened(type, scope));
    return `${proto.name}${proto.serverStreaming ? '*' : ''} ${types.join(' ')}`;
  });
  return [`:${name}`, ...methods, '}'];
}
