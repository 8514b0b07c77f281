import { create, type DescMessage, type Message } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import type { Interceptor } from '@connectrpc/connect';

import { encode } from '#server/wire/encode.ts';

/** Matches every content type of gRPC, gRPC-web and Connect except those for JSON. */
const BINARY = /^application\/(grpc|grpc-web|proto|grpc\+proto|grpc-web\+proto|connect\+proto)\s*(;|$)/i;

/**
 * Encodes responses with our own encoder, because Connect's takes most of the time of a long list. Connect writes
 * fields that it does not know unchanged, so it receives the encoded message as one such field. JSON remains Connect's.
 */
export const encodedResponseInterceptor: Interceptor = (next) => async (request) => {
  const response = await next(request);
  if (!BINARY.test(request.header.get('content-type') ?? '')) return response;
  const { output } = response.method;
  if (response.stream) return { ...response, message: encodeEach(output, response.message) };
  return { ...response, message: encodedMessage(output, response.message) };
};

async function* encodeEach(schema: DescMessage, messages: AsyncIterable<Message>): AsyncGenerator<Message> {
  for await (const message of messages) yield encodedMessage(schema, message);
}

/** Returns a message without fields, which holds the encoded one: the first field's tag, and then all other bytes. */
function encodedMessage(schema: DescMessage, message: Message): Message {
  const bytes = encode(schema, message);
  const result = create(schema);
  if (bytes.length === 0) return result;
  const reader = new BinaryReader(bytes);
  const [no, wireType] = reader.tag();
  result.$unknown = [{ no, wireType, data: bytes.subarray(reader.pos) }];
  return result;
}
