import type { Random } from '#server/demo/seed/random.ts';

/** Another sequence of bytes, near the given one: cut, flipped, doubled, or with something put in. */
export function mutatedBytes(bytes: Uint8Array, random: Random): Uint8Array {
  let result = Buffer.from(bytes);
  for (let left = random.integer(1, 4); left > 0; left -= 1) {
    const at = random.integer(0, result.length);
    switch (random.integer(0, 5)) {
      case 0:
        result = result.subarray(0, at);
        break;
      case 1:
        if (result.length > 0) result.writeUInt8(random.integer(0, 255), Math.min(at, result.length - 1));
        break;
      case 2:
        result = Buffer.concat([result, result.subarray(at)]);
        break;
      case 3:
        result = Buffer.concat([result.subarray(0, at), randomBytes(random), result.subarray(at)]);
        break;
      case 4:
        result = Buffer.concat([
          result.subarray(0, at),
          result.subarray(Math.min(at + random.integer(1, 8), result.length)),
        ]);
        break;
      default:
        result = Buffer.concat([result, randomBytes(random)]);
    }
    // Doubling again and again would only test the limit of a message's size.
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

/** As {@link mutatedBytes}, of JSON; half the time a value is replaced, so that it mostly stays JSON. */
export function mutatedJson(json: string, random: Random): Uint8Array {
  if (random.chance(0.5)) return mutatedBytes(Buffer.from(json), random);
  const values = [...json.matchAll(/(?<=[:,[])(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false)(?=[,}\]])/g)];
  if (values.length === 0) return Buffer.from(random.pick(pieces));
  const { index, 0: text } = random.pick(values);
  return Buffer.from(json.slice(0, index) + random.pick(pieces) + json.slice(index + text.length));
}
