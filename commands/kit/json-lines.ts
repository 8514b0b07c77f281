import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

type WriteKey = (key: string) => string;

/** Formats JSON for people, one line per value: `site code: K12`, and `antenna › height: 3` for a nested value. */
export function jsonLines(json: JsonObject | undefined, writeKey: WriteKey = (key) => key): string {
  return linesOf(json ?? {}, [], writeKey).join('\n');
}

/** Like {@link jsonLines}, with keys as words: `Install date: 2026-01-31` for `install_date` or `installDate`. */
export function readableLines(json: JsonObject | undefined): string {
  return jsonLines(json, wordsOf)
    .split('\n')
    .map((line) => line.charAt(0).toUpperCase() + line.slice(1))
    .join('\n');
}

/** Writes a key as words: `install_date` and `installDate` are `install date`. */
function wordsOf(key: string): string {
  return key
    .replace(/([a-z\d])([A-Z])(?=[a-z])/g, (_match, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replace(/[_-]+/g, ' ')
    .trim();
}

function linesOf(value: JsonValue, path: readonly string[], writeKey: WriteKey): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${path.join(' › ')}: ${value ?? '–'}`];
  const isPlainList = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  if (isPlainList) return [`${path.join(' › ')}: ${value.join(', ') || '–'}`];
  // People count from 1.
  const parts = Array.isArray(value)
    ? value.map((item, index) => [`${index + 1}`, item] as const)
    : Object.entries(value).map(([key, item]) => [writeKey(key), item] as const);
  if (parts.length === 0 && path.length > 0) return [`${path.join(' › ')}: –`];
  return parts.flatMap(([name, child]) => linesOf(child, [...path, name], writeKey));
}
