import { BinaryWriter } from '@bufbuild/protobuf/wire';

const INITIAL_BYTES = 64 * 1024;
/** A larger buffer is not kept for the next message. */
const KEPT_BYTES = 1024 * 1024;
/** Up to this length, a loop in JavaScript is faster than a call into Node. */
const SHORT_TEXT = 32;
/** The most bytes that a character of a string can need. */
const BYTES_PER_CHARACTER = 3;
const MAX_VARINT_BYTES = 10;
const WORD = 0x1_0000_0000;

/** Writes protobuf's primitives into one growing buffer. */
export class ByteWriter {
  private buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  private position = 0;

  clear(): void {
    if (this.buffer.length > KEPT_BYTES) this.buffer = Buffer.allocUnsafe(INITIAL_BYTES);
    this.position = 0;
  }

  /** Returns a copy of all bytes written. */
  finish(): Uint8Array {
    return new Uint8Array(this.buffer.subarray(0, this.position));
  }

  /** Writes an integer from 0 to 2^32 - 1. */
  varint(value: number): void {
    this.reserve(MAX_VARINT_BYTES);
    this.writeVarint(value);
  }

  int32(value: number): void {
    if (value >= 0) this.varint(value);
    else this.varint64(value >>> 0, 0xffff_ffff);
  }

  wide(value: bigint): void {
    const small = Number(value);
    if (small >= 0 && small < WORD) return this.varint(small);
    const bits = BigInt.asUintN(64, value);
    return this.varint64(Number(bits & 0xffff_ffffn), Number(bits >> 32n));
  }

  double(value: number): void {
    this.reserve(8);
    this.position = this.buffer.writeDoubleLE(value, this.position);
  }

  text(value: string): void {
    const { length } = value;
    this.reserve(length * BYTES_PER_CHARACTER + MAX_VARINT_BYTES);
    if (length <= SHORT_TEXT && this.writeAscii(value)) return;
    const size = Buffer.byteLength(value);
    this.writeVarint(size);
    this.position += this.buffer.write(value, this.position);
  }

  bytes(value: Uint8Array): void {
    this.reserve(value.length);
    this.buffer.set(value, this.position);
    this.position += value.length;
  }

  /** Begins a part with a length before it, and returns the argument for `close`. */
  open(): number {
    this.reserve(1);
    return this.position++;
  }

  /** Writes the length of the part. It has one byte; a part of 128 bytes or more moves. */
  close(start: number): void {
    const length = this.position - start - 1;
    if (length < 0x80) {
      this.buffer[start] = length;
      return;
    }
    const extra = length < 0x4000 ? 1 : length < 0x20_0000 ? 2 : length < 0x1000_0000 ? 3 : 4;
    this.reserve(extra);
    this.buffer.copyWithin(start + 1 + extra, start + 1, this.position);
    this.position = start;
    this.writeVarint(length);
    this.position += length;
  }

  /** Writes a value of a type that the contract hardly uses. */
  rare(write: (writer: BinaryWriter) => BinaryWriter): void {
    this.bytes(write(new BinaryWriter()).finish());
  }

  private writeVarint(value: number): void {
    let rest = value;
    while (rest > 0x7f) {
      this.buffer[this.position++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.buffer[this.position++] = rest;
  }

  private varint64(low: number, high: number): void {
    this.rare((writer) => writer.uint64((BigInt(high) << 32n) | BigInt(low)));
  }

  /** Writes a short text with its length; returns false, without effect, if it is not ASCII. */
  private writeAscii(value: string): boolean {
    const { length } = value;
    const start = this.position + 1;
    for (let index = 0; index < length; index += 1) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) return false;
      this.buffer[start + index] = code;
    }
    this.buffer[this.position] = length;
    this.position = start + length;
    return true;
  }

  private reserve(bytes: number): void {
    if (this.position + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.position + bytes));
    this.buffer.copy(larger, 0, 0, this.position);
    this.buffer = larger;
  }
}
