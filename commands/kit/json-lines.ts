import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

/** JSON for reading, a line for each value: `site code: K12`, and of a part of a part `antenna › height: 3`. */
export function jsonLines(json: JsonObject | undefined): string {
  return linesOf(json ?? {}, []).join('\n');
}

function linesOf(value: JsonValue, path: readonly string[]): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${path.join(' › ')}: ${value ?? '–'}`];
  const plain = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  if (plain) return [`${path.join(' › ')}: ${value.join(', ') || '–'}`];
  // People count from one.
  const parts = Array.isArray(value)
    ? value.map((item, index) => [`${index + 1}`, item] as const)
    : Object.entries(value);
  if (parts.length === 0 && path.length > 0) return [`${path.join(' › ')}: –`];
  return parts.flatMap(([name, each]) => linesOf(each, [...path, name]));
}
