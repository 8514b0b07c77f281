import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

/** Metadata as typed text. A value is text, unless it is valid JSON: `40`, `true`, `["a", "b"]`, `"40"`. */
export type MetadataPairs = Readonly<Record<string, string>>;

export function parseMetadata(pairs: MetadataPairs): JsonObject {
  return Object.fromEntries(Object.entries(pairs).map(([key, text]) => [key, parseValue(text)]));
}

export function formatMetadata(metadata: JsonObject | undefined): MetadataPairs {
  return Object.fromEntries(Object.entries(metadata ?? {}).map(([key, value]) => [key, formatValue(value)]));
}

function parseValue(text: string): JsonValue {
  try {
    const value = JSON.parse(text) as JsonValue;
    // A number that would lose digits, such as a long serial number, stays text.
    return typeof value === 'number' && String(value) !== text ? text : value;
  } catch {
    return text;
  }
}

function formatValue(value: JsonValue): string {
  return typeof value === 'string' && parseValue(value) === value ? value : JSON.stringify(value);
}

/** Formats metadata for a plan: `max.bar=40, site=K12`. */
export function metadataText(pairs: MetadataPairs): string | undefined {
  return (
    Object.entries(pairs)
      .map(([key, text]) => `${key}=${text}`)
      .toSorted()
      .join(', ') || undefined
  );
}
