import type { DescMessage, Message } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { type Interceptor } from '@connectrpc/connect';
import { invalidArgument } from '#server/wire/errors.ts';

/**
 * Refuses requests that carry a field this server does not know. Protobuf would keep such a field aside unread, so a
 * newer client that narrows a selection by it would change everything else too, and a list would look filtered and not
 * be. Reads follow the same rule as writes, because what a read selects is often what the next write changes. Proto3
 * leaves unset fields out, so a newer client only meets this when it uses what is new.
 *
 * JSON is held to the same rule where it is parsed (`routerOptions`).
 */
export const unknownFieldsInterceptor: Interceptor = (next) => (request) => {
  const { input } = request.method;
  if (request.stream) return next({ ...request, message: checked(input, request.message) });
  requireKnownFields(input, request.message);
  return next(request);
};

async function* checked(schema: DescMessage, messages: AsyncIterable<Message>): AsyncGenerator<Message> {
  for await (const message of messages) {
    requireKnownFields(schema, message);
    yield message;
  }
}

/** @throws ConnectError INVALID_ARGUMENT, naming the message and the number of the field */
function requireKnownFields(schema: DescMessage, message: Message): void {
  const found = unknownField(reflect(schema, message, false));
  if (found === undefined) return;
  throw invalidArgument(
    `${found.message} has no field ${found.number} in the contract of this server, which cannot ignore it safely: ` +
      'leave it out.',
  );
}

function unknownField(message: ReflectMessage): { message: string; number: number } | undefined {
  const [unknown] = message.getUnknown() ?? [];
  if (unknown !== undefined) return { message: message.desc.typeName, number: unknown.no };
  for (const inner of innerMessages(message)) {
    const found = unknownField(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

function* innerMessages(message: ReflectMessage): Generator<ReflectMessage> {
  for (const field of message.fields) {
    // A Struct is free JSON, kept as a plain object.
    if (field.message === undefined || field.message.typeName === 'google.protobuf.Struct') continue;
    if (!message.isSet(field)) continue;
    if (field.fieldKind === 'message') yield message.get(field);
    else if (field.fieldKind === 'list') yield* message.get(field) as Iterable<ReflectMessage>;
    else if (field.fieldKind === 'map') yield* message.get(field).values() as Iterable<ReflectMessage>;
  }
}
