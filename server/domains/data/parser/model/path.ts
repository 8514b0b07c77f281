import type { JsonValue } from '@bufbuild/protobuf';

import * as fieldPath from '#commands/text/field-path.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { shorten } from '#server/wire/text.ts';

/**
 * Checks the path of a field, and trims it.
 *
 * @param subject the subject of the error message, such as "The field's path"
 */
export function readPath(path: string, subject: string): string {
  const trimmed = path.trim();
  if (trimmed === '') throw invalidArgument(`${subject} is empty. Use a name, or a path like sensors[0].level.`);
  if (fieldPath.stepsOf(trimmed) === undefined) {
    throw invalidArgument(
      `${subject} "${shorten(trimmed)}" is not supported. Use a name, or a path like sensors[0].level.`,
    );
  }
  return trimmed;
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(root: JsonValue, path: string): JsonValue | undefined {
  return fieldPath.valueAt(root, path) as JsonValue | undefined;
}
