import type { DescMessage, Message } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { Code, ConnectError } from '@connectrpc/connect';

/** Each item of a list becomes a parameter of a query, of which PostgreSQL takes 65,535. */
const mostItems = 10_000;

/**
 * Bounds the lists of a request (the contract states no limits), those in messages within it too.
 *
 * @throws ConnectError INVALID_ARGUMENT, naming the list
 */
export function requireBoundedLists(schema: DescMessage, message: Message): void {
  const asked = reflect(schema, message, false);
  for (const field of schema.fields) {
    if (!asked.isSet(field)) continue;
    if (field.fieldKind === 'message') requireBoundedLists(field.message, asked.get(field).message);
    if (field.fieldKind !== 'list') continue;
    const { size } = asked.get(field);
    if (size > mostItems) {
      throw new ConnectError(
        `"${field.name}" lists ${size} items, and a request may list ${mostItems}: send it in parts.`,
        Code.InvalidArgument,
      );
    }
  }
}
