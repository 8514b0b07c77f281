import { create, type DescField, type DescMessage, type Message, ScalarType } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';

import type { Random } from '#server/demo/seed/random.ts';

import type { Pool } from './target.ts';

/** Strings that a parser can misread. */
const oddStrings = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202eabc',
  '%_\\',
  "'; drop table device; --",
  '<img src=x onerror=alert(1)>',
  '${x}{{x}}%s',
  '../../etc/passwd',
  'http://127.0.0.1:9/hook',
  'http://[::1]:9/',
  'data:;base64,AAAA',
  '-1',
  '1e400',
  '[1,2]',
  '[[0,0],[1,1]]',
  '[[0,0],[0,1],[1,1]]',
  '{}',
  '[]',
  'null',
  '(a+)+$',
];
const times = [
  'now',
  '-1h',
  '-10h',
  'PT-10h',
  '1d',
  '2026-01-01',
  '2022-01-01 20:00',
  '9999-12-31T23:59:59-14:00',
  '-99999999999d',
  '0000-01-01',
  '99999999999h',
  'P1Y',
  '12h',
];
const sampleStrings = [
  'well',
  'North',
  'gauge',
  '24F0',
  'Alarm',
  'site',
  'needs visit',
  '0',
  'a',
  'Anna',
  'northwind',
  'Energy',
];
const levels = ['OK', 'Build up', 'Alarm'];
const roles = ['administrator', 'viewer', 'operator', 'developer', 'installer', 'support'];
const zones = ['UTC', 'Europe/Amsterdam', 'Pacific/Kiritimati', 'Mars/Base'];

const MAX_DEPTH = 7;
/**
 * The maximum number of values in a request: more than a server accepts, but fewer than nested lists (of 12,000 each)
 * would produce.
 */
const MAX_VALUES = 30_000;
/** The maximum number of bytes in all byte fields of a request: more than a server accepts. */
const MAX_BYTES = 5_000_000;

/** Builds requests from their descriptors. Most refer to existing items, and some reach or exceed every limit. */
export class RequestBuilder {
  private readonly random: Random;
  private readonly pool: Pool;
  private remainingValues = MAX_VALUES;
  private remainingBytes = MAX_BYTES;

  constructor(random: Random, pool: Pool) {
    this.random = random;
    this.pool = pool;
  }

  build(schema: DescMessage): Message {
    this.remainingValues = MAX_VALUES;
    this.remainingBytes = MAX_BYTES;
    return this.message(schema, 1).message;
  }

  private message(schema: DescMessage, depth: number): ReflectMessage {
    const message = reflect(schema, create(schema), false);
    // Set only a few fields, and fewer at greater depth, because nearly all requests with every field set are rejected.
    const fraction = this.random.pick([0.08, 0.2, 0.5, 0.9]) / Math.sqrt(depth);
    for (const field of schema.fields) {
      if (this.random.chance(this.isTarget(field) ? 0.9 : fraction)) this.fill(message, field, depth);
    }
    return message;
  }

  /** True for the field that identifies the target of an rpc. The server rejects a request without it early. */
  private isTarget(field: DescField): boolean {
    return field.fieldKind === 'scalar' && /^(id|.*_id|modem_number|number|name|email|user_id)$/.test(field.name);
  }

  private fill(message: ReflectMessage, field: DescField, depth: number): void {
    this.remainingValues -= 1;
    switch (field.fieldKind) {
      case 'scalar':
        message.set(field, this.scalar(field));
        break;
      case 'enum':
        message.set(field, this.enumValue(field));
        break;
      case 'message':
        if (depth < MAX_DEPTH) message.set(field, this.message(field.message, depth + 1));
        break;
      case 'list': {
        if (field.listKind === 'message' && depth >= MAX_DEPTH) break;
        const list = message.get(field);
        for (let remaining = this.size(); remaining > 0 && this.remainingValues > 0; remaining -= 1) {
          if (field.listKind === 'message') list.add(this.message(field.message, depth + 1));
          else list.add(field.listKind === 'enum' ? this.enumValue(field) : this.scalar(field));
        }
        break;
      }
      case 'map': {
        if (field.mapKind === 'message' && depth >= MAX_DEPTH) break;
        const map = message.get(field);
        for (let remaining = this.size(); remaining > 0 && this.remainingValues > 0; remaining -= 1) {
          const key = field.mapKey === ScalarType.STRING ? this.text('key') : this.random.integer(0, 1000);
          if (field.mapKind === 'message') map.set(key, this.message(field.message, depth + 1));
          else map.set(key, field.mapKind === 'enum' ? this.enumValue(field) : this.scalar(field));
        }
        break;
      }
    }
  }

  private size(): number {
    if (this.random.chance(0.004)) return this.random.pick([21, 201, 1000, 10_000, 12_000]);
    return this.random.pick([0, 1, 1, 1, 2, 2, 3, 5]);
  }

  private enumValue(field: DescField): number {
    this.remainingValues -= 1;
    if (field.enum === undefined || this.random.chance(0.01)) return this.random.pick([-1, 9999, 2_147_483_647]);
    return this.random.pick(field.enum.values).number;
  }

  private scalar(field: DescField): unknown {
    this.remainingValues -= 1;
    const type =
      field.fieldKind === 'scalar' || field.fieldKind === 'list' || field.fieldKind === 'map'
        ? field.scalar
        : undefined;
    switch (type) {
      case ScalarType.STRING:
        return this.text(field.name, field.parent.typeName);
      case ScalarType.BYTES:
        return this.bytes(this.random.pick([0, 1, 10, 10, 60, 1000, 70_000]));
      case ScalarType.BOOL:
        return this.random.chance(0.5);
      case ScalarType.DOUBLE:
      case ScalarType.FLOAT:
        return this.random.chance(0.05)
          ? this.random.pick([Number.NaN, Number.POSITIVE_INFINITY, -1e308, 1e-320, 180.1])
          : this.random.between(-90, 90);
      case ScalarType.INT64:
      case ScalarType.SINT64:
      case ScalarType.SFIXED64:
        return this.wideInteger(true);
      case ScalarType.UINT64:
      case ScalarType.FIXED64:
        return this.wideInteger(false);
      case ScalarType.UINT32:
      case ScalarType.FIXED32:
        return this.random.chance(0.05) ? 4_294_967_295 : this.random.integer(0, 100);
      default:
        return this.random.chance(0.05)
          ? this.random.pick([-1, -2_147_483_648, 2_147_483_647, 100_000])
          : this.random.integer(0, 30);
    }
  }

  private bytes(maxLength: number): Uint8Array {
    const length = Math.min(maxLength, this.remainingBytes);
    this.remainingBytes -= length;
    return Uint8Array.from({ length }, () => this.random.integer(0, 255));
  }

  private wideInteger(signed: boolean): bigint {
    if (this.random.chance(0.03)) return this.random.pick([2n ** 53n, signed ? 2n ** 63n - 1n : 2n ** 64n - 1n]);
    if (this.random.chance(0.03) && signed) return this.random.pick([-1n, -(2n ** 63n)]);
    if (this.random.chance(0.05)) return BigInt(this.random.integer(1_700_000_000, 1_900_000_000));
    return BigInt(this.random.integer(1, 60));
  }

  private text(name: string, type = ''): string {
    const { random, pool } = this;
    if (random.chance(0.03)) return random.pick(oddStrings);
    if (random.chance(0.004)) return random.pick(['w ', 'x', 'é']).repeat(random.pick([21, 250, 501, 1001, 30_000]));
    if (name === 'organization' || name.endsWith('_organization') || type.endsWith('Organizations')) {
      return random.chance(name === 'organization' ? 0.75 : 0.2) ? '' : random.pick(pool.organizations);
    }
    if (type.endsWith('Filter.Modems') || /modem_?number|^device$|^number/.test(name)) return random.pick(pool.numbers);
    if (/user_id/.test(name) || type.endsWith('Filter.Users')) return random.pick(pool.users);
    if (/role/.test(name) || /Roles/.test(type)) return random.pick(roles);
    if (/level/.test(name) || type.endsWith('HealthLevels')) return random.pick(levels);
    if (name === 'textual') return random.pick(times);
    if (/zone/.test(name)) return random.pick(zones);
    if (/email/.test(name))
      return `${random.pick(sampleStrings).replaceAll(' ', '.')}${random.integer(0, 99)}@example.com`;
    if (/url|link/.test(name)) return `http://127.0.0.1:9/${random.integer(0, 99)}`;
    if (/hex/.test(name)) return random.pick(['00FF', '24F091C7', 'zz', '0']);
    if (/regex/.test(name)) return random.pick(['.*', '^.+@example\\.com$', '(', '(a|a)*b']);
    if (/settings|^update$/.test(name)) return '{"defaultScreen":"/devices"}';
    if (/search|name|description|notes|reason|type|value/.test(name)) {
      return Array.from({ length: random.integer(1, 3) }, () => random.pick(sampleStrings)).join(' ');
    }
    return random.chance(0.5) ? random.pick(sampleStrings) : random.pick([...pool.numbers, ...pool.users]);
  }
}
