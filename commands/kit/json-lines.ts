import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

/** Formats JSON for people, one line per value: `site_code: K12`, and `antenna › height: 3` for a nested value. */
export function jsonLines(json: JsonObject | undefined): string {
  return linesOf(json ?? {}, []).join('\n');
}

function linesOf(value: JsonValue, path: readonly string[]): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${path.join(' › ')}: ${value ?? '–'}`];
  const isPlainList = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  if (isPlainList) return [`${path.join(' › ')}: ${value.join(', ') || '–'}`];
  // People count from 1.
  const parts = Array.isArray(value)
    ? value.map((item, index) => [`${index + 1}`, item] as const)
    : Object.entries(value);
  if (parts.length === 0 && path.length > 0) return [`${path.join(' › ')}: –`];
  return parts.flatMap(([name, child]) => linesOf(child, [...path, name]));
}
