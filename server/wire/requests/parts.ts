import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { DEEPEST } from './limits.ts';

/**
 * Values of one message, counted before it is decoded: 4 MB of empty messages compress to 4 KB, and to decode them
 * takes more than a second, during which nobody else is served. The largest requests that make sense come near it:
 * 10,000 messages of devices with some ten values each.
 */
export const MAX_PARTS = 200_000;

/** Whether a message in binary holds more than `most` values. Bytes that are no message may get any answer. */
export function hasMoreParts(most: number, schema: DescMessage, bytes: Uint8Array): boolean {
  // Each takes a byte at least.
  if (bytes.length <= most) return false;
  const count = new Count(most, bytes);
  try {
    count.message(schema, bytes.length, 1);
  } catch {
    // Not protobuf; decoding it says so, and gets no further.
  }
  return count.over;
}

class Count {
  readonly #bytes: Uint8Array;
  readonly #reader: BinaryReader;
  #left: number;

  constructor(most: number, bytes: Uint8Array) {
    this.#left = most;
    this.#bytes = bytes;
    this.#reader = new BinaryReader(bytes);
  }

  get over(): boolean {
    return this.#left < 0;
  }

  message(schema: DescMessage, end: number, depth: number): void {
    const known = fieldsOf(schema);
    this.#each(end, (number, to) => {
      const field = known.get(number);
      if (field === undefined || depth >= DEEPEST) return;
      if (field.fieldKind === 'map') this.#entry(field.message, to, depth);
      else if (field.message !== undefined) this.message(field.message, to, depth + 1);
      else if (isPackable(field)) this.#left -= varintsIn(this.#bytes.subarray(this.#reader.pos, to));
    });
  }

  /** Of a map: its value is field 2. */
  #entry(value: DescMessage | undefined, end: number, depth: number): void {
    this.#each(end, (number, to) => {
      if (number === 2 && value !== undefined) this.message(value, to, depth + 1);
    });
  }

  /** Counts the fields up to `end`, and shows where those end that have a length. */
  #each(end: number, look: (number: number, to: number) => void): void {
    const reader = this.#reader;
    while (reader.pos < end && !this.over) {
      const [number, type] = reader.tag();
      this.#left -= 1;
      if (type !== WireType.LengthDelimited) {
        reader.skip(type, number);
        continue;
      }
      const length = reader.uint32();
      const to = reader.pos + length;
      look(number, to);
      reader.pos = to;
    }
  }
}

const known = new WeakMap<DescMessage, ReadonlyMap<number, DescField>>();

function fieldsOf(schema: DescMessage): ReadonlyMap<number, DescField> {
  const fields = known.get(schema) ?? new Map(schema.fields.map((field) => [field.number, field]));
  known.set(schema, fields);
  return fields;
}

const isPackable = (field: DescField): boolean =>
  field.fieldKind === 'list' && field.scalar !== ScalarType.STRING && field.scalar !== ScalarType.BYTES;

/** Every varint ends with a byte whose highest bit is clear. Values of a fixed size count for a little more. */
const varintsIn = (bytes: Uint8Array): number => bytes.reduce((count, byte) => count + (byte < 0x80 ? 1 : 0), 0);
