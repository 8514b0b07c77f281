import { create, type DescField, type DescMessage, type Message, ScalarType } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';

/** A field of a request, reached from the request through messages, lists, and maps. */
export type FieldPath = readonly DescField[];

/** Long enough for every field in the contract, excluding recursive types. */
const MAX_PATH_LENGTH = 8;

/** Returns every field that a request can contain; each path contains a message type only once. */
export function fieldPaths(schema: DescMessage, parentPath: FieldPath = []): FieldPath[] {
  const visitedTypes = new Set([schema.typeName, ...parentPath.map(({ parent }) => parent.typeName)]);
  return schema.fields.flatMap((field) => {
    const path = [...parentPath, field];
    const inner = messageIn(field);
    const hasInnerPaths = inner !== undefined && !visitedTypes.has(inner.typeName) && path.length < MAX_PATH_LENGTH;
    return [path, ...(hasInnerPaths ? fieldPaths(inner, path) : [])];
  });
}

/** Returns the message type of a field: single, in a list, or as the values of a map. */
export const messageIn = (field: DescField): DescMessage | undefined =>
  field.fieldKind === 'message' || field.fieldKind === 'list' || field.fieldKind === 'map' ? field.message : undefined;

/** Creates a request that contains only what `fill` puts into the message of the path's last field. */
export function requestWith(
  schema: DescMessage,
  path: FieldPath,
  fill: (message: ReflectMessage, field: DescField) => void,
): Message {
  const request = reflect(schema, create(schema), false);
  fillAt(request, path, fill);
  return request.message;
}

function fillAt(
  message: ReflectMessage,
  [field, ...path]: FieldPath,
  fill: (message: ReflectMessage, field: DescField) => void,
): void {
  if (field === undefined) return;
  const inner = messageIn(field);
  if (path.length === 0 || inner === undefined) {
    fill(message, field);
    return;
  }
  const next = reflect(inner, create(inner), false);
  fillAt(next, path, fill);
  if (field.fieldKind === 'list') message.get(field).add(next);
  else if (field.fieldKind === 'map') message.get(field).set(keyOf(field), next);
  else if (field.fieldKind === 'message') message.set(field, next);
}

/** Creates a key of the map's key type. */
export const keyOf = (field: DescField & { fieldKind: 'map' }, name = 'key'): string | number =>
  field.mapKey === ScalarType.STRING ? name : 1;

export const pathText = (path: FieldPath): string => path.map(({ name }) => name).join('.');
