import { type DescField, type DescMessage, isMessage, type Message, ScalarType } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage, type ScalarValue } from '@bufbuild/protobuf/reflect';
import { DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { DEEPEST, type FieldLimit, limitOf, LONGEST_KEY, MAX_ELEMENTS, MAX_ENTRIES } from './limits.ts';
import { isServedDuration, isServedTime, YEARS_SERVED } from './times.ts';

/**
 * Holds a request to what this server can store, compare and answer in time, before anything reads it: sizes by type
 * (`limits.ts`), texts that PostgreSQL stores, 64-bit numbers in the safe integer range (spec sections 5 and 9), enum
 * values of the contract, finite numbers, times from year 1 to 9999.
 *
 * @throws ConnectError INVALID_ARGUMENT, naming the field
 */
export function requireServable(schema: DescMessage, message: Message): void {
  new Check().message(reflect(schema, message, false), '', 1);
}

/** One pass over one request. */
class Check {
  private elements = 0;

  message(message: ReflectMessage, path: string, depth: number): void {
    if (depth > DEEPEST) throw refused(path, `is nested ${depth} levels deep`, `at most ${DEEPEST}`);
    requireTime(message, path);
    for (const field of message.fields) {
      if (!message.isSet(field)) continue;
      const here = path === '' ? field.name : `${path}.${field.name}`;
      switch (field.fieldKind) {
        case 'scalar':
          requireScalar(message.get(field), field.scalar, limitOf(field), here);
          break;
        case 'enum':
          requireEnum(field, message.get(field), here);
          break;
        case 'message':
          this.message(message.get(field), here, depth + 1);
          break;
        case 'list':
          this.list(message, field, here, depth);
          break;
        case 'map':
          this.map(message, field, here, depth);
          break;
      }
    }
  }

  private list(message: ReflectMessage, field: DescField & { fieldKind: 'list' }, path: string, depth: number): void {
    const list = message.get(field);
    const limit = limitOf(field);
    if (list.size > limit.items) {
      throw refused(path, `lists ${list.size} items`, `at most ${limit.items}: send it in parts`);
    }
    this.count(list.size, path);
    let index = 0;
    for (const item of list) {
      const here = `${path}[${index++}]`;
      if (field.listKind === 'message') this.message(item as ReflectMessage, here, depth + 1);
      else if (field.listKind === 'enum') requireEnum(field, item as number, here);
      else requireScalar(item as ScalarValue, field.scalar, limit, here);
    }
  }

  private map(message: ReflectMessage, field: DescField & { fieldKind: 'map' }, path: string, depth: number): void {
    const map = message.get(field);
    if (map.size > MAX_ENTRIES) throw refused(path, `has ${map.size} entries`, `at most ${MAX_ENTRIES}`);
    this.count(map.size, path);
    for (const [key, value] of map) {
      const name = String(key);
      requireText(name, { characters: LONGEST_KEY }, `A key of ${path}`);
      const here = `${path}["${name}"]`;
      if (field.mapKind === 'message') this.message(value as ReflectMessage, here, depth + 1);
      else if (field.mapKind === 'enum') requireEnum(field, value as number, here);
      else requireScalar(value as ScalarValue, field.scalar, limitOf(field), here);
    }
  }

  private count(elements: number, path: string): void {
    this.elements += elements;
    if (this.elements > MAX_ELEMENTS) {
      throw refused(path, `brings the request to ${this.elements} items in all`, `at most ${MAX_ELEMENTS}`);
    }
  }
}

function requireScalar(value: ScalarValue, type: ScalarType, limit: FieldLimit, path: string): void {
  if (typeof value === 'string' && type === ScalarType.STRING) {
    requireText(value, limit, path);
  } else if (value instanceof Uint8Array) {
    if (value.length > limit.bytes) throw refused(path, `has ${value.length} bytes`, `at most ${limit.bytes}`);
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refused(path, `is ${value}`, 'a finite number');
  } else if (typeof value !== 'boolean') {
    const number = BigInt(value);
    if (number > Number.MAX_SAFE_INTEGER || number < Number.MIN_SAFE_INTEGER) {
      throw refused(path, `is ${number}`, `at most ${Number.MAX_SAFE_INTEGER}, the largest safe integer`);
    }
  }
}

function requireText(text: string, limit: Pick<FieldLimit, 'characters' | 'words'>, path: string): void {
  if (text.length > limit.characters) {
    throw refused(path, `has ${text.length} characters`, `at most ${limit.characters}`);
  }
  if (limit.words !== undefined) {
    const words = text.split(/\s+/).filter(Boolean).length;
    if (words > limit.words) throw refused(path, `has ${words} words`, `at most ${limit.words}`);
  }
  if (text.includes('\0')) throw refused(path, 'has a NUL character', 'text without one');
  if (/\p{Surrogate}/u.test(text)) throw refused(path, 'has half of a surrogate pair', 'well-formed Unicode');
}

function requireEnum(field: DescField, value: number, path: string): void {
  if (field.enum === undefined || field.enum.value[value] !== undefined) return;
  throw refused(path, `is ${value}`, `a value of ${field.enum.typeName}`);
}

function requireTime({ message }: ReflectMessage, path: string): void {
  if (isMessage(message, TimestampSchema)) {
    const { seconds, nanos } = message;
    if (!isServedTime(Number(seconds) * 1000)) {
      throw refused(path, `is ${seconds} seconds from 1970`, `a time ${YEARS_SERVED}`);
    }
    if (nanos < 0 || nanos >= SECOND) throw refused(`${path}.nanos`, `is ${nanos}`, 'from 0 to 999999999');
  } else if (isMessage(message, DurationSchema)) {
    const { seconds, nanos } = message;
    if (!isServedDuration(Number(seconds))) throw refused(path, `is ${seconds} seconds`, 'at most 10,000 years');
    if (Math.abs(nanos) >= SECOND || Number(seconds) * nanos < 0) {
      throw refused(`${path}.nanos`, `is ${nanos}`, 'less than a second, of the sign of the seconds');
    }
  }
}

/** In nanoseconds. */
const SECOND = 1_000_000_000;

const refused = (path: string, what: string, right: string): ConnectError =>
  new ConnectError(`${path} ${what}; a request may hold ${right}.`, Code.InvalidArgument);
