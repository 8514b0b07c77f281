import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

import * as fieldPath from '#commands/text/field-path.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { shorten } from '#server/wire/text.ts';

/**
 * Checks the path of a field and trims it.
 *
 * @param subject the subject of the error message, such as "The field's path"
 */
export function readPath(path: string, subject: string): string {
  const trimmed = path.trim();
  if (trimmed === '') throw invalidArgument(`${subject} is empty. Use a name, or a path like sensors[0].level.`);
  if (fieldPath.stepsOf(trimmed) === undefined) {
    throw invalidArgument(
      `${subject} "${shorten(trimmed)}" isn't supported. Use a name, or a path like sensors[0].level.`,
    );
  }
  return trimmed;
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(root: JsonValue, path: string): JsonValue | undefined {
  return fieldPath.valueAt(root, path) as JsonValue | undefined;
}

/** Creates a check for whether a path leads to, into, or past one of the given paths, so their values share data. */
export function overlapWith(paths: readonly string[]): (path: string) => boolean {
  const others = paths.map(stepStrings);
  return (path) => {
    const steps = stepStrings(path);
    return others.some((other) => {
      const [shorter, longer] = other.length < steps.length ? [other, steps] : [steps, other];
      return shorter.every((step, index) => step === longer[index]);
    });
  };
}

/** Returns steps as strings: `['0']` reads the same item of a list as `[0]`. */
export const stepStrings = (path: string): readonly string[] => (fieldPath.stepsOf(path) ?? []).map(String);

/** Returns an object without the values at the paths. List items become null, so the others keep their index. */
export function withoutValues(root: JsonObject, paths: readonly string[]): JsonObject {
  if (paths.length === 0) return root;
  const rest = structuredClone(root);
  for (const path of paths) {
    const steps = fieldPath.stepsOf(path) ?? [];
    let parent: JsonValue | undefined = rest;
    for (const step of steps.slice(0, -1)) parent = childOf(parent, step);
    const last = steps.at(-1);
    if (last === undefined || childOf(parent, last) === undefined) continue;
    if (Array.isArray(parent)) parent[Number(last)] = null;
    else delete (parent as JsonObject)[last];
  }
  return rest;
}

function childOf(value: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Record<string | number, JsonValue>)[step];
}
