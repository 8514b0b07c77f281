/** Protobuf's own limit on nested messages; no message of the contract comes near it. */
export const DEEPEST_JSON = 100;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Looks for nesting beyond `depth` levels and for more than `parts` values without parsing: `JSON.parse` takes a second
 * for a megabyte of brackets, during which nobody else is served. Text that is not JSON may get any answer; parsing
 * refuses it.
 */
export function excessOf(json: Uint8Array, most: { depth: number; parts: number }): 'depth' | 'parts' | undefined {
  let depth = 0;
  let parts = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inText) {
      if (byte === backslash) at++;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === openList || byte === openObject) {
      depth += 1;
      parts += 1;
      if (depth > most.depth) return 'depth';
    } else if (byte === closeList || byte === closeObject) depth -= 1;
    else if (byte === comma) parts += 1;
    if (parts > most.parts) return 'parts';
  }
  return undefined;
}
