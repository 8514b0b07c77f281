/** Protobuf's own limit for nested messages. No message in the contract comes near it. */
export const MAX_JSON_DEPTH = 100;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Detects nesting beyond `depth` levels and more than `parts` values without parsing: `JSON.parse` takes a second for a
 * megabyte of brackets and blocks all other requests. The result for invalid JSON is arbitrary because parsing rejects
 * it anyway.
 */
export function exceededLimit(
  json: Uint8Array,
  limits: { depth: number; parts: number },
): 'depth' | 'parts' | undefined {
  let depth = 0;
  let parts = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index];
    if (isInString) {
      if (byte === backslash) index++;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) isInString = true;
    else if (byte === openList || byte === openObject) {
      depth += 1;
      parts += 1;
      if (depth > limits.depth) return 'depth';
    } else if (byte === closeList || byte === closeObject) depth -= 1;
    else if (byte === comma) parts += 1;
    if (parts > limits.parts) return 'parts';
  }
  return undefined;
}

/**
 * Returns a key that an object has twice. `JSON.parse` keeps only the last value. If the caller meant the first to
 * narrow a selection, a write would change too many items. The result for invalid JSON is arbitrary.
 */
export function findRepeatedKey(json: Uint8Array): string | undefined {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  /** The keys of the objects around the current position; undefined for a list. */
  const outer: (Set<string> | undefined)[] = [];
  let keys: Set<string> | undefined;
  let isKeyNext = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === quote) {
      const start = index + 1;
      let isEscaped = false;
      for (index = start; index < bytes.length && bytes[index] !== quote; index++) {
        if (bytes[index] !== backslash) continue;
        isEscaped = true;
        index++;
      }
      if (!isKeyNext || keys === undefined) continue;
      isKeyNext = false;
      const text = bytes.toString('utf8', start, index);
      const key = isEscaped ? unescape(text) : text;
      if (keys.has(key)) return key;
      keys.add(key);
    } else if (byte === openObject || byte === openList) {
      outer.push(keys);
      keys = byte === openObject ? new Set() : undefined;
      isKeyNext = byte === openObject;
    } else if (byte === closeObject || byte === closeList) {
      keys = outer.pop();
      isKeyNext = false;
    } else if (byte === comma) isKeyNext = keys !== undefined;
  }
  return undefined;
}

function unescape(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    // Parsing the request rejects the invalid escape and explains it.
    return text;
  }
}
