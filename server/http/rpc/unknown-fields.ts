import type { DescMessage, Message } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { type Interceptor } from '@connectrpc/connect';

import { invalidArgument } from '#server/wire/errors.ts';

/**
 * Rejects requests with a field that is unknown to this server. Protobuf would ignore the field. If a newer client used
 * it to narrow a selection, a write would change too many items, and a list would only look filtered. The rule also
 * applies to reads because the next write often changes the items that a read selected. Proto3 omits unset fields, so
 * newer clients fail only when they use a new feature.
 *
 * The same rule applies to JSON when it is parsed (`routerOptions`).
 */
export const unknownFieldsInterceptor: Interceptor = (next) => (request) => {
  const { input } = request.method;
  if (request.stream) return next({ ...request, message: checkMessages(input, request.message) });
  requireKnownFields(input, request.message);
  return next(request);
};

async function* checkMessages(schema: DescMessage, messages: AsyncIterable<Message>): AsyncGenerator<Message> {
  for await (const message of messages) {
    requireKnownFields(schema, message);
    yield message;
  }
}

/**
 * Requires that a message and the messages in it have no unknown fields.
 *
 * @throws ConnectError INVALID_ARGUMENT, naming the message and the field's number
 */
function requireKnownFields(schema: DescMessage, message: Message): void {
  const unknownField = findUnknownField(reflect(schema, message, false));
  if (unknownField === undefined) return;
  throw invalidArgument(
    `${unknownField.message} has no field ${unknownField.number} in this server's contract, and ignoring it would not be safe. ` +
      'Leave it out.',
  );
}

function findUnknownField(message: ReflectMessage): { message: string; number: number } | undefined {
  const [unknown] = message.getUnknown() ?? [];
  if (unknown !== undefined) return { message: message.desc.typeName, number: unknown.no };
  for (const inner of innerMessages(message)) {
    const innerField = findUnknownField(inner);
    if (innerField !== undefined) return innerField;
  }
  return undefined;
}

function* innerMessages(message: ReflectMessage): Generator<ReflectMessage> {
  for (const field of message.fields) {
    // A Struct is free JSON, represented as a plain object.
    if (field.message === undefined || field.message.typeName === 'google.protobuf.Struct') continue;
    if (!message.isSet(field)) continue;
    if (field.fieldKind === 'message') yield message.get(field);
    else if (field.fieldKind === 'list') yield* message.get(field) as Iterable<ReflectMessage>;
    else if (field.fieldKind === 'map') yield* message.get(field).values() as Iterable<ReflectMessage>;
  }
}
