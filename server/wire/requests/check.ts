import { type DescField, type DescMessage, isMessage, type Message, ScalarType } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage, type ScalarValue } from '@bufbuild/protobuf/reflect';
import { DurationSchema, TimestampSchema, ValueSchema } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';

import { MAX_DEPTH, type FieldLimit, limitOf, MAX_KEY_LENGTH, MAX_ELEMENTS, MAX_ENTRIES } from './limits.ts';
import { isSupportedDuration, isSupportedTime, SUPPORTED_YEARS } from './times.ts';

/**
 * Rejects a request that this server can't store, compare, or process quickly, before anything reads it. Limits sizes
 * by type (`limits.ts`), 64-bit numbers to the safe integer range (spec sections 5 and 9), and times to the years 1 to
 * 9999. Accepts only text that PostgreSQL can store, enum values in the contract, and finite numbers.
 *
 * @throws ConnectError INVALID_ARGUMENT, naming the field
 */
export function requireSupported(schema: DescMessage, message: Message): void {
  new Check().checkMessage(reflect(schema, message, false), '', 1);
}

/** A single pass over one request. */
class Check {
  private elements = 0;

  checkMessage(message: ReflectMessage, path: string, depth: number): void {
    if (depth > MAX_DEPTH) throw fieldError(path, `is nested ${depth} levels deep`, `at most ${MAX_DEPTH}`);
    requireTime(message, path);
    requireJson(message, path);
    for (const field of message.fields) {
      if (!message.isSet(field)) continue;
      const fieldPath = path === '' ? field.name : `${path}.${field.name}`;
      switch (field.fieldKind) {
        case 'scalar':
          requireScalar(message.get(field), field.scalar, limitOf(field), fieldPath);
          break;
        case 'enum':
          requireEnum(field, message.get(field), fieldPath);
          break;
        case 'message':
          this.checkMessage(message.get(field), fieldPath, depth + 1);
          break;
        case 'list':
          this.checkList(message, field, fieldPath, depth);
          break;
        case 'map':
          this.checkMap(message, field, fieldPath, depth);
          break;
      }
    }
  }

  private checkList(
    message: ReflectMessage,
    field: DescField & { fieldKind: 'list' },
    path: string,
    depth: number,
  ): void {
    const list = message.get(field);
    const limit = limitOf(field);
    if (list.size > limit.items) {
      throw fieldError(path, `lists ${list.size} items`, `at most ${limit.items}. Send it in smaller requests`);
    }
    this.countElements(list.size, path);
    let index = 0;
    for (const item of list) {
      const fieldPath = `${path}[${index++}]`;
      if (field.listKind === 'message') this.checkMessage(item as ReflectMessage, fieldPath, depth + 1);
      else if (field.listKind === 'enum') requireEnum(field, item as number, fieldPath);
      else requireScalar(item as ScalarValue, field.scalar, limit, fieldPath);
    }
  }

  private checkMap(
    message: ReflectMessage,
    field: DescField & { fieldKind: 'map' },
    path: string,
    depth: number,
  ): void {
    const map = message.get(field);
    if (map.size > MAX_ENTRIES) throw fieldError(path, `has ${map.size} entries`, `at most ${MAX_ENTRIES}`);
    this.countElements(map.size, path);
    for (const [key, value] of map) {
      const name = String(key);
      requireText(name, { characters: MAX_KEY_LENGTH }, `${path}[key]`);
      const fieldPath = `${path}[${name}]`;
      if (field.mapKind === 'message') this.checkMessage(value as ReflectMessage, fieldPath, depth + 1);
      else if (field.mapKind === 'enum') requireEnum(field, value as number, fieldPath);
      else requireScalar(value as ScalarValue, field.scalar, limitOf(field), fieldPath);
    }
  }

  private countElements(elements: number, path: string): void {
    this.elements += elements;
    if (this.elements > MAX_ELEMENTS) {
      throw fieldError(path, `brings the request to ${this.elements} items in total`, `at most ${MAX_ELEMENTS}`);
    }
  }
}

function requireScalar(value: ScalarValue, type: ScalarType, limit: FieldLimit, path: string): void {
  if (typeof value === 'string' && type === ScalarType.STRING) {
    requireText(value, limit, path);
  } else if (value instanceof Uint8Array) {
    if (value.length > limit.bytes) throw fieldError(path, `has ${value.length} bytes`, `at most ${limit.bytes}`);
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw fieldError(path, `is ${value}`, 'a finite number');
  } else if (typeof value !== 'boolean') {
    const number = BigInt(value);
    if (number > Number.MAX_SAFE_INTEGER || number < Number.MIN_SAFE_INTEGER) {
      throw fieldError(path, `is ${number}`, `at most ${Number.MAX_SAFE_INTEGER}, the largest safe integer`);
    }
  }
}

function requireText(text: string, limit: Pick<FieldLimit, 'characters' | 'words'>, path: string): void {
  if (text.length > limit.characters) {
    throw fieldError(path, `has ${text.length} characters`, `at most ${limit.characters}`);
  }
  if (limit.words !== undefined) {
    const words = text.split(/\s+/).filter(Boolean).length;
    if (words > limit.words) throw fieldError(path, `has ${words} words`, `at most ${limit.words}`);
  }
  if (text.includes('\0')) throw fieldError(path, 'has a NUL character', 'text without NUL characters');
  if (/\p{Surrogate}/u.test(text)) throw fieldError(path, 'has half of a surrogate pair', 'well-formed Unicode');
}

function requireEnum(field: DescField, value: number, path: string): void {
  if (field.enum === undefined || field.enum.value[value] !== undefined) return;
  throw fieldError(path, `is ${value}`, `a value of ${field.enum.typeName}`);
}

/** Rejects a `google.protobuf.Value` without a value, which has no JSON form. Null is a value. */
function requireJson({ message }: ReflectMessage, path: string): void {
  if (isMessage(message, ValueSchema) && message.kind.case === undefined) {
    throw fieldError(path, 'has no value', 'a number, a string, true, false, null, a list, or an object');
  }
}

function requireTime({ message }: ReflectMessage, path: string): void {
  if (isMessage(message, TimestampSchema)) {
    const { seconds, nanos } = message;
    if (!isSupportedTime(Number(seconds) * 1000)) {
      throw fieldError(path, `is ${seconds} seconds since 1970`, `a time ${SUPPORTED_YEARS}`);
    }
    if (nanos < 0 || nanos >= NANOS_PER_SECOND) throw fieldError(`${path}.nanos`, `is ${nanos}`, 'from 0 to 999999999');
  } else if (isMessage(message, DurationSchema)) {
    const { seconds, nanos } = message;
    if (!isSupportedDuration(Number(seconds))) throw fieldError(path, `is ${seconds} seconds`, 'at most 10,000 years');
    if (Math.abs(nanos) >= NANOS_PER_SECOND || Number(seconds) * nanos < 0) {
      throw fieldError(`${path}.nanos`, `is ${nanos}`, 'less than a second, with the same sign as the seconds');
    }
  }
}

const NANOS_PER_SECOND = 1_000_000_000;

const fieldError = (path: string, problem: string, expected: string): ConnectError =>
  new ConnectError(`"${path}" ${problem}. Expected ${expected}.`, Code.InvalidArgument);
