import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DefinitionError, openParsing, type Parsing } from './parsing.ts';

let parsing: Parsing;
beforeAll(() => void (parsing = openParsing(async (organization) => organization)));
afterAll(() => parsing.close());

/** A definition with these fields. */
const fields = (text: string, rest = '') => `meta: {id: test, endian: be, encoding: UTF-8}\nseq:\n${text}\n${rest}`;

const bytes = (length: number, byte = 0x41) => new Uint8Array(length).fill(byte);
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

const GOOD = fields('  - {id: level, type: u2}');
const parseGood = (organization = 'northwind') => parsing.parse(organization, GOOD, [Uint8Array.of(1, 2)]);

/** Definitions that compile, each with a message and the reason for its failure. */
const hostileDefinitions: readonly (readonly [
  name: string,
  definition: string,
  message: Uint8Array,
  reason: RegExp,
])[] = [
  [
    'an endless repeat',
    fields('  - {id: x, type: e, repeat: until, repeat-until: false}', 'types: {e: {seq: []}}'),
    bytes(1),
    /took longer than 50 ms|more memory|exceeds 5000 values/,
  ],
  [
    'a repeat of two billion',
    fields('  - {id: n, type: u4}\n  - {id: x, type: e, repeat: expr, repeat-expr: n}', 'types: {e: {seq: []}}'),
    bytes(4, 0x7f),
    /took longer than 50 ms|more memory/,
  ],
  [
    'a huge size',
    fields('  - {id: n, type: u4}\n  - {id: x, size: n}'),
    bytes(8, 0xff),
    /4294967295 bytes needed, 4 left/,
  ],
  [
    'a size beyond any integer',
    fields('  - {id: n, type: u8}\n  - {id: x, size: n * n}'),
    bytes(12, 0xff),
    /.* bytes needed, 4 left/,
  ],
  ['types within themselves', fields('  - {id: x, type: test}'), bytes(1), /nesting is too deep/],
  [
    'instances within themselves',
    fields('', 'instances: {x: {pos: 0, type: test}}').replace('seq:\n', ''),
    bytes(1),
    /nesting exceeds 40 levels/,
  ],
  [
    'an instance that reads itself at every byte',
    fields(
      '  - {id: x, type: node}',
      'types: {node: {seq: [{id: kind, type: u1}, {id: next, type: node, if: kind == 65}]}}',
    ),
    bytes(50_000),
    /nesting is too deep|more memory/,
  ],
  [
    'a huge text in the result',
    fields('  - {id: x, type: str, size-eos: true}'),
    bytes(600_000),
    /exceeds 524288 characters|more memory|50 ms/,
  ],
  [
    'huge bytes in the result',
    fields('  - {id: x, size-eos: true}'),
    bytes(300_000),
    /exceeds 524288 characters|more memory|50 ms/,
  ],
  [
    'a text that doubles with each instance',
    fields(
      '  - {id: x, type: str, size: 64}',
      `instances:\n  i0: {value: x + x}\n${range(24)
        .map((index) => `  i${index + 1}: {value: i${index} + i${index}}`)
        .join('\n')}`,
    ),
    bytes(64),
    /exceeds 524288 characters|more memory|50 ms/,
  ],
  [
    'instances that evaluate each other exponentially',
    fields(
      '  - {id: x, type: u1}',
      `types:\n${range(16)
        .map(
          (index) => `  t${index}: {instances: {a: {pos: 0, type: t${index + 1}}, b: {pos: 0, type: t${index + 1}}}}`,
        )
        .join('\n')}\n  t16: {seq: [{id: y, type: u1}]}\ninstances: {start: {pos: 0, type: t0}}`,
    ),
    bytes(1),
    /took longer than 50 ms|exceeds 5000 values|more memory/,
  ],
  [
    'a million items',
    fields('  - {id: x, type: u1, repeat: eos}'),
    bytes(1_000_000),
    /took longer than 50 ms|exceeds 5000 values|more memory/,
  ],
];

describe('a hostile definition', () => {
  test.each(hostileDefinitions.map(([name, definition, message, reason]) => ({ name, definition, message, reason })))(
    'with $name results in a sentence, and the next message is parsed',
    async ({ definition, message, reason }) => {
      await parsing.check('northwind', definition);
      const [result] = await parsing.parse('northwind', definition, [message]);
      expect(result).toMatchObject({
        error: expect.stringMatching(/^(Message|Field [^ ]+)( at byte \d+)?: .*\.$/),
      });
      expect((result as { error: string }).error).toMatch(reason);
      expect(await parseGood()).toEqual([{ fields: { level: 258 } }]);
    },
  );

  test('is rejected if huge: fields, enums, switches, and expressions', async () => {
    const definitions = [
      fields(
        range(4000)
          .map((index) => `  - {id: f${index}, type: u1}`)
          .join('\n'),
      ),
      fields(
        '  - {id: x, type: u4, enum: e}',
        `enums: {e: {${range(9000)
          .map((index) => `${index}: v${index}`)
          .join(', ')}}}`,
      ),
      fields(
        `  - {id: k, type: u2}\n  - id: x\n    type: {switch-on: k, cases: {${range(3000)
          .map((index) => `${index}: u1`)
          .join(', ')}}}`,
      ),
      fields('  - {id: x, type: u1}', `instances: {y: {value: '${'('.repeat(2000)}x${')'.repeat(2000)}'}}`),
      fields(
        '  - {id: x, type: u1}',
        `instances: {y: {value: '${range(20_000)
          .map(() => 'x')
          .join(' + ')}'}}`,
      ),
    ];
    for (const definition of definitions) {
      const answer = await parsing
        .parse('northwind', definition, [bytes(4000, 1)])
        .then((results) => `${results.length} result.`)
        .catch((error: unknown) => (error instanceof DefinitionError ? error.message : error));
      expect(answer).toMatch(/\.$/);
    }
    expect(await parseGood()).toEqual([{ fields: { level: 258 } }]);
  }, 120_000);

  test('delays other definitions of its organization only once', async () => {
    const [, endless = '', message = bytes(1)] = hostileDefinitions[0] ?? [];
    await parsing.parse('forties', endless, [message]);
    let hasEnded = false;
    const slow = parsing
      .parse(
        'forties',
        endless,
        range(10).map(() => message),
      )
      .then(() => (hasEnded = true));
    expect(await parseGood('forties')).toEqual([{ fields: { level: 258 } }]);
    expect(hasEnded).toBe(false);
    await slow;
  });

  test.each([
    [
      'the text of a param',
      "types: {x: {params: [{id: q, type: u1, doc: '*/ throw 1; /*'}], seq: [{id: b, type: u1}]}}",
    ],
    ['the text of a type', "doc: '*/ throw 1; /*'"],
  ])("can't run code from %s", async (_, rest) => {
    const definition = fields('  - {id: level, type: u2}', rest);
    expect(await parsing.parse('northwind', definition, [Uint8Array.of(1, 2)])).toEqual([{ fields: { level: 258 } }]);
  });

  test('is rejected if it has too many aliases', async () => {
    const aliases = range(300).map(() => '*a');
    const definition = fields('  - {id: x, type: u1}', `-a: &a 1\n-l: [${aliases.join(', ')}]`);
    await expect(parsing.check('northwind', definition)).rejects.toThrow('at most 200 aliases');
  });

  test("can't pollute objects: a field named __proto__, constructor, or toString", async () => {
    const polluting = fields(
      '  - {id: constructor, type: u1}\n  - {id: to_string, type: u1}\n  - {id: has_own_property, type: u1}\n  - {id: value_of, type: u1}',
    );
    expect(await parsing.parse('northwind', polluting, [Uint8Array.of(1, 2, 3, 4)])).toEqual([
      { fields: { constructor: 1, to_string: 2, has_own_property: 3, value_of: 4 } },
    ]);
    await expect(parsing.check('northwind', fields('  - {id: __proto__, type: u1}'))).rejects.toThrow('__proto__');
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
