import { type DescFile, type DescService, toBinary } from '@bufbuild/protobuf';
import { type DescriptorProto, type EnumDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { Code, type ServiceImpl } from '@connectrpc/connect';

import type {
  ServerReflection,
  ServerReflectionRequest,
  ServerReflectionResponse,
} from '#proto/gen/grpc/reflection/v1/reflection_pb.ts';
import type { ServerReflection as ServerReflectionV1Alpha } from '#proto/gen/grpc/reflection/v1alpha/reflection_pb.ts';

type MessageRequest = ServerReflectionRequest['messageRequest'];
type MessageResponse = PlainOneof<ServerReflectionResponse['messageResponse']>;
/** Omits the type names, which differ between the two versions. */
type PlainOneof<T> = T extends { case: infer Case; value: infer Value }
  ? { case: Case; value: Value extends object ? Plain<Value> : never }
  : never;
type Plain<T> = T extends Uint8Array
  ? T
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { [Key in Exclude<keyof T, '$typeName' | '$unknown'>]: Plain<T[Key]> }
      : T;

/**
 * Serves gRPC server reflection for the given services. Covers their files, the files they import, and the names that
 * these files declare.
 */
export function reflection(
  services: readonly DescService[],
): ServiceImpl<typeof ServerReflection> & ServiceImpl<typeof ServerReflectionV1Alpha> {
  const files = withImports(services.map(({ file }) => file));
  const byName = new Map(files.map((file) => [file.proto.name, file]));
  const bySymbol = new Map(files.flatMap((file) => symbolsOf(file).map((symbol) => [symbol, file])));
  const names = services.map(({ typeName }) => typeName).toSorted();

  function fileResponse(file: DescFile | undefined, sentFiles: Set<DescFile>, description: string): MessageResponse {
    if (file === undefined) return notFound(description);
    // Send the imports along with the file because tools would request them next. Each is sent only once per stream.
    const filesToSend = [
      file,
      ...withImports([file]).filter((descFile) => descFile !== file && !sentFiles.has(descFile)),
    ];
    for (const descFile of filesToSend) sentFiles.add(descFile);
    const fileDescriptorProto = filesToSend.map(encode);
    return { case: 'fileDescriptorResponse', value: { fileDescriptorProto } };
  }

  function respond({ case: kind, value }: MessageRequest, sentFiles: Set<DescFile>): MessageResponse {
    switch (kind) {
      case 'fileByFilename':
        return fileResponse(byName.get(value), sentFiles, `file "${value}"`);
      case 'fileContainingSymbol':
        return fileResponse(bySymbol.get(value), sentFiles, `symbol "${value}"`);
      case 'listServices':
        return { case: 'listServicesResponse', value: { service: names.map((name) => ({ name })) } };
      case 'fileContainingExtension':
        return notFound(`extension ${value.extensionNumber} of "${value.containingType}"`);
      case 'allExtensionNumbersOfType':
        return notFound(`extension of "${value}"`);
      default:
        return failure(Code.InvalidArgument, 'The request is empty. Set one field of message_request.');
    }
  }

  return {
    async *serverReflectionInfo(requests) {
      const sentFiles = new Set<DescFile>();
      for await (const request of requests) {
        // Both versions declare the same fields.
        const messageResponse = respond(request.messageRequest as MessageRequest, sentFiles);
        yield { validHost: request.host, originalRequest: request as never, messageResponse };
      }
    },
  };
}

/**
 * Caches the encoded files because callers can request a 50,000-byte file with a 20-byte request, any number of times.
 */
const encodedFiles = new WeakMap<DescFile, Uint8Array>();

function encode(file: DescFile): Uint8Array {
  const bytes = encodedFiles.get(file) ?? toBinary(FileDescriptorProtoSchema, file.proto);
  encodedFiles.set(file, bytes);
  return bytes;
}

const failure = (errorCode: Code, errorMessage: string): MessageResponse => ({
  case: 'errorResponse',
  value: { errorCode, errorMessage },
});

const notFound = (description: string): MessageResponse => failure(Code.NotFound, `This server has no ${description}.`);

/** Returns the files and everything they import, without duplicates. */
function withImports(files: readonly DescFile[]): DescFile[] {
  const closure = new Set<DescFile>();
  const add = (file: DescFile): void => {
    if (closure.has(file)) return;
    closure.add(file);
    file.dependencies.forEach(add);
  };
  files.forEach(add);
  return [...closure];
}

/** Returns the full names of the services, rpcs, messages, fields, enums, and enum values that a file declares. */
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

/** Returns the symbols of an enum. Enum values are siblings of their enum, as in C++. */
const enumSymbols = (scope: string, { name, value }: EnumDescriptorProto): string[] => [
  scope + name,
  ...value.map((proto) => scope + proto.name),
];
