import { afterAll, describe, expect, test } from 'vitest';

import { createPayload, type PayloadFamily, payloadFamilies } from '#server/demo/simulator/payload.ts';
import { openParsing } from '#server/parsing/parsing.ts';

import { BROKEN_ERROR, seedParsers } from './parsers.ts';

const parsing = openParsing(async (organization) => organization);
afterAll(() => parsing.close());

const { byFamily } = seedParsers('northwind', new Date());
const start = Date.parse('2026-11-20T12:00:00Z');

function payloads(family: PayloadFamily, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const number = `${String(index % 50).padStart(4, '0')} AAAA`;
    return createPayload({ number, profile: family }, new Date(start + index * 3_600_000));
  });
}

describe.each(payloadFamilies)('the parser of %s payloads', (family) => {
  test('reads what the seed stores without parsing', async () => {
    const sent = payloads(family, 3000);
    const results = await parsing.parse(
      'northwind',
      byFamily[family].definition,
      sent.map(({ content }) => content),
    );
    const expected = sent.map(({ result }) => (result === undefined ? BROKEN_ERROR : { fields: result }));
    expect(results).toMatchObject(expected);
    expect(expected.filter((result) => result === BROKEN_ERROR).length).toBeGreaterThan(0);
  });

  test('never fails a batch', async () => {
    let state = 7;
    const random = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
    const bodies = Array.from({ length: 2000 }, () =>
      Uint8Array.from({ length: Math.floor(random() * 24) }, () => Math.floor(random() * 256)),
    );
    const results = await parsing.parse('northwind', byFamily[family].definition, bodies);
    expect(results).toHaveLength(bodies.length);
    for (const result of results) expect('error' in result ? result.error : '').not.toMatch(/undefined|\bat .*:\d+/);
  });
});
