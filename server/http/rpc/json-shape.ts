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
