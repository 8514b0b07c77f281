import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  type FileDescriptorProto,
  type ServiceDescriptorProto,
} from '@bufbuild/protobuf/wkt';

// Writes a descriptor as text with one line per declaration, for `read.ts` to parse. It compresses better than the
// binary form, where length prefixes hide repetition from gzip. Omits what no client reads: reserved numbers,
// deprecations, and the names of synthetic oneofs.

/**
 * Formats a proto3 file without its imports, which the generated code names.
 *
 * @throws Error for a feature that the text format can't express
 */
export function compactText(file: FileDescriptorProto): string {
  const { name, messageType, enumType, service, extension, syntax } = file;
  if (syntax !== 'proto3' || extension.length > 0) throw new Error(`"${name}" must be proto3 without extensions.`);
  return [
    `${name} ${file.package}`,
    ...messageType.flatMap((proto) => messageLines(proto, `.${file.package}.`)),
    ...enumType.flatMap(enumLines),
    ...service.flatMap((proto) => serviceLines(proto, `.${file.package}.`)),
  ].join('\n');
}

/** Formats the oneofs, fields, and nested declarations of a message, ending with a line `}`. */
function messageLines(proto: DescriptorProto, scope: string): string[] {
  // protoc puts the synthetic oneofs, one for each optional field, after the others.
  const synthetic = proto.field.filter(({ proto3Optional }) => proto3Optional).length;
  const lines = proto.oneofDecl.slice(0, proto.oneofDecl.length - synthetic).map(({ name }) => `|${name}`);
  let last = 0;
  for (const field of proto.field) {
    const number = field.number === last + 1 ? '' : `=${field.number}`;
    lines.push(`${field.name}${number}${formatMark(field)} ${formatType(field, scope)}`);
    last = field.number;
  }
  return [
    `{${proto.name}${proto.options?.mapEntry ? '#' : ''}`,
    ...lines,
    ...proto.nestedType.flatMap((nested) => messageLines(nested, scope)),
    ...proto.enumType.flatMap(enumLines),
    '}',
  ];
}

function formatMark(field: FieldDescriptorProto): string {
  if (field.label === FieldDescriptorProto_Label.REPEATED) return '*';
  if (field.proto3Optional) return '?';
  return Object.hasOwn(field, 'oneofIndex') ? `|${field.oneofIndex}` : '';
}

/** Formats a scalar as in the source, and an enum after `!`; omits the package of types in the same package. */
function formatType({ type, typeName }: FieldDescriptorProto, scope: string): string {
  if (!typeName) return FieldDescriptorProto_Type[type].toLowerCase();
  return `${type === FieldDescriptorProto_Type.ENUM ? '!' : ''}${withoutScope(typeName, scope)}`;
}

function withoutScope(typeName: string, scope: string): string {
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
    if (proto.clientStreaming) throw new Error(`"${name}.${proto.name}" streams requests, which a browser can't do.`);
    const types = [proto.inputType, proto.outputType].map((type) => withoutScope(type, scope));
    return `${proto.name}${proto.serverStreaming ? '*' : ''} ${types.join(' ')}`;
  });
  return [`:${name}`, ...methods, '}'];
}
