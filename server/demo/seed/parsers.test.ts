import { afterAll, describe, expect, test } from 'vitest';

import { createPayload, type PayloadFamily, payloadFamilies } from '#server/demo/simulator/payload.ts';
import { openParsing } from '#server/parsing/parsing.ts';

import { BROKEN_ERROR, seedParsers } from './parsers.ts';
import { createRandom, type Random } from './random.ts';

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
  test('produces the same values that the seed stores directly', async () => {
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

  test('never fails a batch of random messages', async () => {
    const random = createRandom(`random messages for ${family}`);
    for (let count = 0; count < RANDOM_MESSAGES; count += BATCH) {
      const bodies = Array.from({ length: BATCH }, () => randomBody(random));
      const results = await parsing.parse('northwind', byFamily[family].definition, bodies);
      expect(results).toHaveLength(bodies.length);
      const outliers = results.filter((result) =>
        'error' in result
          ? !/^(Field [\w.[\]]+|The message)( at byte \d+)?: .*\.$/.test(result.error)
          : !('frame' in result.fields),
      );
      expect(outliers).toEqual([]);
    }
  });
});

const RANDOM_MESSAGES = 100_000;
const BATCH = 2000;

/** Returns up to 24 random bytes. Most begin like a payload of the demo, so they are not rejected at the first byte. */
function randomBody(random: Random): Uint8Array {
  const body = Uint8Array.from({ length: random.integer(0, 24) }, () => random.integer(0, 255));
  if (body.length > 0 && random.chance(0.75)) body[0] = random.integer(0x10, 0x15);
  return body;
}
