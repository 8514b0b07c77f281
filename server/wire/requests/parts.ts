import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

import { MAX_DEPTH } from './limits.ts';

/**
 * The maximum number of values in a message, counted before it is decoded. 4 KB can contain 4 MB of empty messages, and
 * decoding these blocks all other requests for more than a second. The largest sensible requests come close to this
 * maximum, with 10,000 device messages of about ten values each.
 */
export const MAX_PARTS = 200_000;

/** True if a binary message contains more than `max` values. The result for malformed bytes is arbitrary. */
export function hasMoreParts(max: number, schema: DescMessage, bytes: Uint8Array): boolean {
  // Each value takes at least a byte.
  if (bytes.length <= max) return false;
  const count = new PartCounter(max, bytes);
  try {
    count.countMessage(schema, bytes.length, 1);
  } catch {
    // The bytes aren't protobuf. Decoding fails at the same position and reports it.
  }
  return count.isExceeded;
}

class PartCounter {
  readonly #bytes: Uint8Array;
  readonly #reader: BinaryReader;
  #budget: number;

  constructor(max: number, bytes: Uint8Array) {
    this.#budget = max;
    this.#bytes = bytes;
    this.#reader = new BinaryReader(bytes);
  }

  get isExceeded(): boolean {
    return this.#budget < 0;
  }

  countMessage(schema: DescMessage, end: number, depth: number): void {
    const fields = fieldsOf(schema);
    this.#forEachField(end, (number, fieldEnd) => {
      const field = fields.get(number);
      if (field === undefined || depth >= MAX_DEPTH) return;
      if (field.fieldKind === 'map') this.#countEntry(field.message, fieldEnd, depth);
      else if (field.message !== undefined) this.countMessage(field.message, fieldEnd, depth + 1);
      else if (isPackable(field)) this.#budget -= countVarints(this.#bytes.subarray(this.#reader.pos, fieldEnd));
    });
  }

  /** Counts the values in a map entry. Its value is field 2. */
  #countEntry(value: DescMessage | undefined, end: number, depth: number): void {
    this.#forEachField(end, (number, fieldEnd) => {
      if (number === 2 && value !== undefined) this.countMessage(value, fieldEnd, depth + 1);
    });
  }

  /** Counts the fields up to `end`, and passes each length-delimited one's end to `visit`. */
  #forEachField(end: number, visit: (number: number, fieldEnd: number) => void): void {
    const reader = this.#reader;
    while (reader.pos < end && !this.isExceeded) {
      const [number, type] = reader.tag();
      this.#budget -= 1;
      if (type !== WireType.LengthDelimited) {
        reader.skip(type, number);
        continue;
      }
      const length = reader.uint32();
      const fieldEnd = reader.pos + length;
      visit(number, fieldEnd);
      reader.pos = fieldEnd;
    }
  }
}

const fieldsBySchema = new WeakMap<DescMessage, ReadonlyMap<number, DescField>>();

function fieldsOf(schema: DescMessage): ReadonlyMap<number, DescField> {
  const fields = fieldsBySchema.get(schema) ?? new Map(schema.fields.map((field) => [field.number, field]));
  fieldsBySchema.set(schema, fields);
  return fields;
}

const isPackable = (field: DescField): boolean =>
  field.fieldKind === 'list' && field.scalar !== ScalarType.STRING && field.scalar !== ScalarType.BYTES;

/** Every varint ends with a byte whose highest bit is clear. Fixed-size values count slightly more. */
const countVarints = (bytes: Uint8Array): number => bytes.reduce((count, byte) => count + (byte < 0x80 ? 1 : 0), 0);
