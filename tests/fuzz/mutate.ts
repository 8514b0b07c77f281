import type { Random } from '#server/demo/seed/random.ts';

/** Varies bytes: truncates, changes, or repeats them, or inserts random bytes. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  let result = Buffer.from(bytes);
  for (let edits = random.integer(1, 4); edits > 0; edits -= 1) {
    const position = random.integer(0, result.length);
    switch (random.integer(0, 5)) {
      case 0:
        result = result.subarray(0, position);
        break;
      case 1:
        if (result.length > 0) result.writeUInt8(random.integer(0, 255), Math.min(position, result.length - 1));
        break;
      case 2:
        result = Buffer.concat([result, result.subarray(position)]);
        break;
      case 3:
        result = Buffer.concat([result.subarray(0, position), randomBytes(random), result.subarray(position)]);
        break;
      case 4:
        result = Buffer.concat([
          result.subarray(0, position),
          result.subarray(Math.min(position + random.integer(1, 8), result.length)),
        ]);
        break;
      default:
        result = Buffer.concat([result, randomBytes(random)]);
    }
    // Repeated doubling would only test the message size limit.
    if (result.length > 200_000) break;
  }
  return result;
}

const randomBytes = (random: Random): Buffer =>
  Buffer.from(Array.from({ length: random.integer(1, 12) }, () => random.integer(0, 255)));

const pieces = [
  'null',
  '[]',
  '{}',
  '""',
  '0',
  '-1',
  '1e400',
  'true',
  '"\\ud800"',
  '"\\u0000"',
  '[[[]]]',
  ',',
  ':',
  '}',
  ']',
];

/** Varies JSON. Half of the time, mutates its bytes; otherwise, replaces one value, often with a valid one. */
export function mutateJson(json: string, random: Random): Uint8Array {
  if (random.chance(0.5)) return mutateBytes(Buffer.from(json), random);
  const values = [...json.matchAll(/(?<=[:,[])(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false)(?=[,}\]])/g)];
  if (values.length === 0) return Buffer.from(random.pick(pieces));
  const { index, 0: text } = random.pick(values);
  return Buffer.from(json.slice(0, index) + random.pick(pieces) + json.slice(index + text.length));
}
