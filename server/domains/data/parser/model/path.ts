import type { JsonValue } from '@bufbuild/protobuf';

import { invalidArgument } from '#server/wire/errors.ts';
import { shorten } from '#server/wire/text.ts';

/** `name`, `.name`, `[0]`, or `['name']`. */
const STEP = /\.?([\p{L}_][\p{L}\p{N}_-]*)|\[(\d{1,9})\]|\['([^']*)'\]|\["([^"]*)"\]/uy;

/** The keys on the way to a value. */
type Steps = readonly (string | number)[];

/** Reads the path of a field: `level`, `$.sensors[0].level`. Undefined if it is invalid. */
function stepsOf(path: string): Steps | undefined {
  const text = path.trim().replace(/^\$/, '');
  const steps: (string | number)[] = [];
  for (STEP.lastIndex = 0; STEP.lastIndex < text.length;) {
    const [, name, index, quoted, doublyQuoted] = STEP.exec(text) ?? [];
    if (index !== undefined) steps.push(Number(index));
    else {
      const key = name ?? quoted ?? doublyQuoted;
      if (key === undefined) return undefined;
      steps.push(key);
    }
  }
  return steps.length === 0 ? undefined : steps;
}

/**
 * Checks the path of a field, and trims it.
 *
 * @param subject the subject of the error message, such as "The field's path"
 */
export function readPath(path: string, subject: string): string {
  const trimmed = path.trim();
  if (trimmed === '') throw invalidArgument(`${subject} is empty. Use a name, or a path like sensors[0].level.`);
  if (stepsOf(trimmed) === undefined) {
    throw invalidArgument(
      `${subject} "${shorten(trimmed)}" is not supported. Use a name, or a path like sensors[0].level.`,
    );
  }
  return trimmed;
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(root: JsonValue, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const step of stepsOf(path) ?? []) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, JsonValue>)[step];
  }
  return value;
}
