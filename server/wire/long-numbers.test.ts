import { fromJsonString, protoInt64 } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';

import { GetWebhookRequestSchema } from '#proto/gen/hiber/webhook_pb.ts';

import './long-numbers.ts';

describe('a 64-bit number as a string', () => {
  test('is rejected without parsing if it is longer than any valid number', () => {
    const digits = '9'.repeat(101);
    expect(() => protoInt64.parse(digits)).toThrow('it has 101 characters');
    expect(() => protoInt64.uParse(digits)).toThrow('it has 101 characters');
    expect(() => fromJsonString(GetWebhookRequestSchema, `{"id":"${digits}"}`)).toThrow('GetWebhookRequest.id');
  });

  test('is otherwise parsed as usual', () => {
    expect(fromJsonString(GetWebhookRequestSchema, '{"id":"-9223372036854775808"}').id).toBe(-(2n ** 63n));
    expect(fromJsonString(GetWebhookRequestSchema, '{"id":12}').id).toBe(12n);
    expect(() => protoInt64.parse('9223372036854775808')).toThrow('invalid int64');
    expect(protoInt64.uParse('18446744073709551615')).toBe(2n ** 64n - 1n);
    expect(protoInt64.dec(1, 0)).toBe(1n);
  });
});
