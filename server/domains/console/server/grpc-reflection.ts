import { type DescFile, type DescService, toBinary } from '@bufbuild/protobuf';
import { type DescriptorProto, type EnumDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { Code, type ServiceImpl } from '@connectrpc/connect';
import type {
  ServerReflection,
  ServerReflectionRequest,
  ServerReflectionResponse,
} from '#proto/gen/grpc/reflection/v1/reflection_pb.ts';
import type { ServerReflection as ServerReflectionV1Alpha } from '#proto/gen/grpc/reflection/v1alpha/reflection_pb.ts';

type Asked = ServerReflectionRequest['messageRequest'];
type Answer = PlainAnswer<ServerReflectionResponse['messageResponse']>;
/** Without the type names, which differ between the two versions. */
type PlainAnswer<T> = T extends { case: infer Case; value: infer Value }
  ? { case: Case; value: Value extends object ? Plain<Value> : never }
  : never;
type Plain<T> = T extends Uint8Array
  ? T
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { [Key in Exclude<keyof T, '$typeName' | '$unknown'>]: Plain<T[Key]> }
      : T;

/** Serves gRPC server reflection for these services: their files, those they import, and the names in them. */
export function reflection(
  services: readonly DescService[],
): ServiceImpl<typeof ServerReflection> & ServiceImpl<typeof ServerReflectionV1Alpha> {
  const files = withImports(services.map(({ file }) => file));
  const byName = new Map(files.map((file) => [file.proto.name, file]));
  const bySymbol = new Map(files.flatMap((file) => symbolsOf(file).map((symbol) => [symbol, file])));
  const names = services.map(({ typeName }) => typeName).toSorted();

  function found(file: DescFile | undefined, sent: Set<DescFile>, what: string): Answer {
    if (file === undefined) return notFound(what);
    // Imports go along once, as tools would ask for each of them next.
    const wanted = [file, ...withImports([file]).filter((descFile) => descFile !== file && !sent.has(descFile))];
    for (const descFile of wanted) sent.add(descFile);
    const fileDescriptorProto = wanted.map(inBinary);
    return { case: 'fileDescriptorResponse', value: { fileDescriptorProto } };
  }

  function answerTo({ case: kind, value }: Asked, sent: Set<DescFile>): Answer {
    switch (kind) {
      case 'fileByFilename':
        return found(byName.get(value), sent, `file "${value}"`);
      case 'fileContainingSymbol':
        return found(bySymbol.get(value), sent, `symbol "${value}"`);
      case 'listServices':
        return { case: 'listServicesResponse', value: { service: names.map((name) => ({ name })) } };
      case 'fileContainingExtension':
        return notFound(`extension ${value.extensionNumber} of "${value.containingType}"`);
      case 'allExtensionNumbersOfType':
        return notFound(`extension of "${value}"`);
      default:
        return failure(Code.InvalidArgument, 'The request asks for nothing: set one field of message_request.');
    }
  }

  return {
    async *serverReflectionInfo(requests) {
      const sent = new Set<DescFile>();
      for await (const request of requests) {
        // Both versions declare the same fields.
        const messageResponse = answerTo(request.messageRequest as Asked, sent);
        yield { validHost: request.host, originalRequest: request as never, messageResponse };
      }
    },
  };
}

/** A request of twenty bytes asks for a file of fifty thousand, as often as a caller likes: each is encoded once. */
const encoded = new WeakMap<DescFile, Uint8Array>();

function inBinary(file: DescFile): Uint8Array {
  const bytes = encoded.get(file) ?? toBinary(FileDescriptorProtoSchema, file.proto);
  encoded.set(file, bytes);
  return bytes;
}

const failure = (errorCode: Code, errorMessage: string): Answer => ({
  case: 'errorResponse',
  value: { errorCode, errorMessage },
});

const notFound = (what: string): Answer => failure(Code.NotFound, `This server has no ${what}.`);

/** The files and all that they import, each once. */
function withImports(files: readonly DescFile[]): DescFile[] {
  const all = new Set<DescFile>();
  const add = (file: DescFile): void => {
    if (all.has(file)) return;
    all.add(file);
    file.dependencies.forEach(add);
  };
  files.forEach(add);
  return [...all];
}

/** Full names of what a file declares: services, rpcs, messages and their fields, enums and their values. */
function symbolsOf({ proto }: DescFile): string[] {
  const scope = proto.package === '' ? '' : `${proto.package}.`;
  return [
    ...proto.service.flatMap(({ name, method }) => [
      scope + name,
      ...method.map((methodDescriptorProto) => `${scope}${name}.${methodDescriptorProto.name}`),
    ]),
    ...proto.messageType.flatMap((descriptorProto) => messageSymbols(scope, descriptorProto)),
    ...proto.enumType.flatMap((enumDescriptorProto) => enumSymbols(scope, enumDescriptorProto)),
  ];
}

function messageSymbols(scope: string, { name, field, nestedType, enumType }: DescriptorProto): string[] {
  const inner = `${scope}${name}.`;
  return [
    scope + name,
    ...field.map((proto) => inner + proto.name),
    ...nestedType.flatMap((proto) => messageSymbols(inner, proto)),
    ...enumType.flatMap((proto) => enumSymbols(inner, proto)),
  ];
}

/** Values are siblings of their enum (as in C++). */
const enumSymbols = (scope: string, { name, value }: EnumDescriptorProto): string[] => [
  scope + name,
  ...value.map((proto) => scope + proto.name),
];
