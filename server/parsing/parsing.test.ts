import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { DefinitionError, openParsing, type Parsing } from './parsing.ts';
import { Thread } from './thread.ts';

let parsing: Parsing;
beforeAll(() => void (parsing = openParsing(async (organization) => organization)));
afterAll(() => parsing.close());

const parse = async (definition: string, message: readonly number[], organization = 'northwind') => {
  const [result] = await parsing.parse(organization, definition, [Uint8Array.from(message)], { withRanges: true });
  return result;
};

/** A definition with these fields. */
const fields = (text: string, rest = '') => `meta: {id: test, endian: be, encoding: UTF-8}\nseq:\n${text}\n${rest}`;

const PRESSURE = `
meta: {id: pressure_v2, endian: be}
seq:
  - {id: header, type: u1}
  - {id: battery_raw, type: u2}
  - {id: pressure_raw, type: s4}
instances:
  battery: {value: battery_raw / 1000.0}
  pressure: {value: pressure_raw / 100.0}
`;

describe('a result', () => {
  test('has all fields by their names in the definition, and the bytes of those that were read', async () => {
    expect(await parse(PRESSURE, [0x20, 0x0d, 0x9b, 0, 0, 0x2d, 0xb8])).toEqual({
      fields: { header: 32, battery_raw: 3483, pressure_raw: 11_704, battery: 3.483, pressure: 117.04 },
      ranges: [
        { path: 'header', start: 0, end: 1 },
        { path: 'battery_raw', start: 1, end: 3 },
        { path: 'pressure_raw', start: 3, end: 7 },
      ],
    });
  });

  test('has nested types, repeats, and enums', async () => {
    const definition = fields(
      '  - {id: items, type: item, repeat: eos}',
      `
types:
  item:
    seq:
      - {id: constructor, type: u1, enum: color}
      - {id: high, type: b4}
      - {id: low, type: b4, enum: color}
enums:
  color: {1: red, 2: {id: dark_green, doc: grass}}
`,
    );
    expect(await parse(definition, [1, 0x32, 9, 0x01])).toEqual({
      fields: {
        items: [
          { constructor: 'red', high: 3, low: 'dark_green' },
          { constructor: 9, high: 0, low: 'red' },
        ],
      },
      ranges: [
        { path: 'items', start: 0, end: 4 },
        { path: 'items[0]', start: 0, end: 2 },
        { path: 'items[0].constructor', start: 0, end: 1 },
        { path: 'items[0].high', start: 1, end: 2 },
        { path: 'items[0].low', start: 1, end: 2 },
        { path: 'items[1]', start: 2, end: 4 },
        { path: 'items[1].constructor', start: 2, end: 3 },
        { path: 'items[1].high', start: 3, end: 4 },
        { path: 'items[1].low', start: 3, end: 4 },
      ],
    });
  });

  test('names enum values in lists too, and gives bit fields the bytes they share', async () => {
    const definition = fields(
      '  - {id: colors, type: u1, enum: color, repeat: expr, repeat-expr: 2}\n  - {id: a, type: b4}\n  - {id: b, type: b12}\n  - {id: c, type: b8}',
      'instances: {same: {value: colors}, last: {value: colors.last}}\nenums: {color: {1: red, 2: dark_blue}}',
    );
    expect(await parse(definition, [1, 2, 0x12, 0x34, 0x56])).toEqual({
      fields: {
        colors: ['red', 'dark_blue'],
        a: 1,
        b: 0x234,
        c: 0x56,
        same: ['red', 'dark_blue'],
        last: 'dark_blue',
      },
      ranges: [
        { path: 'colors', start: 0, end: 2 },
        { path: 'colors[0]', start: 0, end: 1 },
        { path: 'colors[1]', start: 1, end: 2 },
        { path: 'a', start: 2, end: 3 },
        { path: 'b', start: 2, end: 4 },
        { path: 'c', start: 4, end: 5 },
      ],
    });
  });

  test('omits fields with a false condition and switches on other fields', async () => {
    const definition = fields(
      `
  - {id: kind, type: u1}
  - {id: to_string, type: u1, if: kind == 7}
  - id: body
    type: {switch-on: kind, cases: {1: level, _: u1}}`,
      'types: {level: {seq: [{id: level, type: u2}]}}',
    );
    expect(await parse(definition, [1, 0, 5])).toMatchObject({ fields: { kind: 1, body: { level: 5 } } });
    expect(await parse(definition, [2, 9])).toMatchObject({ fields: { kind: 2, body: 9 } });
    expect(Object.keys(((await parse(definition, [2, 9])) as { fields: object }).fields)).toEqual(['kind', 'body']);
  });

  test("has bytes as hex, large integers as text, and no number that JSON can't express", async () => {
    const definition = fields(
      `
  - {id: raw, size: 2}
  - {id: small, type: u8}
  - {id: large, type: u8}
  - {id: negative, type: s8}
  - {id: float, type: f4}`,
      'instances: {sum: {value: large + 1}, text: {value: large.to_s}, equal: {value: large == large}}',
    );
    const message = [
      ...Buffer.from('AB01 0000000000000100 0020000000000001 8000000000000001 7FC00000'.replaceAll(' ', ''), 'hex'),
    ];
    expect(await parse(definition, message)).toMatchObject({
      fields: {
        raw: 'AB01',
        small: 256,
        large: '9007199254740993',
        negative: '-9223372036854775807',
        float: 'NaN',
        sum: 9_007_199_254_740_992,
        text: '9007199254740993',
        equal: true,
      },
    });
  });

  test('has text in many encodings, and only text that can be stored', async () => {
    const text = (encoding: string) => fields(`  - {id: text, type: str, size-eos: true, encoding: ${encoding}}`);
    const utf8 = [...new TextEncoder().encode('é€😀'), 0xff, 0xe2, 0x82, 0x41, 0xc0, 0x80, 0];
    const decoded = new TextDecoder().decode(Uint8Array.from(utf8)).replace('\0', '\ufffd');
    expect(await parse(text('UTF-8'), utf8)).toMatchObject({ fields: { text: decoded } });
    expect(await parse(text('UTF-16LE'), [0x41, 0, 0x3d, 0xd8, 0, 0])).toMatchObject({
      fields: { text: 'A\ufffd\ufffd' },
    });
    expect(await parse(text('windows-1252'), [0x80, 0xe9])).toMatchObject({ fields: { text: '€é' } });
    expect(await parse(text('ISO-8859-15'), [0xa4])).toMatchObject({ fields: { text: '€' } });
    expect(await parse(text('ASCII'), [0x41, 0xe9])).toMatchObject({ fields: { text: 'A\ufffd' } });
  });

  test('never contains itself', async () => {
    const definition = fields(
      '  - {id: a, type: u1}\n  - {id: b, type: t}',
      'types: {t: {instances: {up: {value: _parent}, all: {value: _root}, stream: {value: _io}}}}',
    );
    expect(await parse(definition, [1])).toMatchObject({ fields: { a: 1, b: {} } });
  });
});

test.each(['tank', 'object', 'kaitai_stream', 'math', 'number', 'uint8_array'])(
  'a parser can have the name of one of its types, or of a global of the generated code: %s',
  async (id) => {
    const definition = `
meta: {id: ${id}, endian: be, encoding: UTF-8}
seq: [{id: mode, type: u1, enum: mode}, {id: digits, type: str, size: 1}, {id: tank, type: tank}]
instances: {half: {value: digits.to_i / 2}}
types: {tank: {seq: [{id: level, type: u1}]}}
enums: {mode: {1: on}}
`;
    expect(await parse(definition, [1, 0x37, 9])).toMatchObject({
      fields: { mode: 'on', digits: '7', tank: { level: 9 }, half: 3 },
    });
  },
);

describe('a failure', () => {
  const cases: readonly (readonly [definition: string, message: readonly number[], error: string])[] = [
    [
      fields('  - {id: head, size: 4}\n  - {id: level, type: u2}'),
      [1, 2, 3, 4, 5],
      'Field level at byte 4: 2 bytes needed, 1 left.',
    ],
    [
      fields(
        '  - {id: items, type: item, repeat: expr, repeat-expr: 3}',
        'types: {item: {seq: [{id: a, type: u1}, {id: b, type: u2}]}}',
      ),
      [1, 2, 3, 4],
      'Field items[1].b at byte 4: 2 bytes needed, 0 left.',
    ],
    [
      fields('  - {id: body, size: 2, type: t}', 'types: {t: {seq: [{id: a, type: u1}, {id: b, type: u4}]}}'),
      [1, 2, 3, 4, 5, 6],
      'Field body.b at byte 1: 4 bytes needed, 1 left.',
    ],
    [fields('  - {id: version, contents: [2]}'), [3], 'Field version at byte 0: 03 instead of 02.'],
    [fields('  - {id: level, type: u1, valid: {max: 100}}'), [101], 'Field level at byte 0: 101 is more than 100.'],
    [fields('  - {id: x, size: 4294967296}'), [1], 'Field x at byte 0: 4294967296 bytes needed, 1 left.'],
    [fields('  - {id: n, type: s1}\n  - {id: x, size: n}'), [0xff], 'Field x at byte 1: the size is -1.'],
    [
      fields('  - {id: x, type: u1}', 'instances: {y: {pos: 5, type: u1}}'),
      [1],
      'Field y at byte 1: 1 byte needed, 0 left.',
    ],
    [fields('  - {id: x, type: test}'), [1], 'at byte 0: nesting is too deep.'],
    [
      fields('', 'instances: {x: {pos: 0, type: test}}').replace('seq:\n', ''),
      [1],
      'Field x at byte 0: nesting exceeds 40 levels.',
    ],
    [
      fields('  - {id: x, type: u1, repeat: expr, repeat-expr: 6000}'),
      Array.from({ length: 6000 }, () => 1),
      'Field x at byte 0: the result exceeds 5000 values.',
    ],
  ];
  test.each(cases.map(([definition, message, error]) => ({ definition, message, error })))(
    'reports the position and the reason: $error',
    async ({ definition, message, error }) => {
      expect(await parse(definition, message)).toMatchObject({ error: expect.stringContaining(error) });
    },
  );
});

describe('an invalid definition', () => {
  const cases: readonly (readonly [definition: string, error: string])[] = [
    ['', 'Line 1: A definition is a YAML map with `meta` and `seq`.'],
    ['- 1', 'Line 1: A definition is a YAML map with `meta` and `seq`.'],
    ['meta: {id: a}\nmeta: {id: b}', "Line 2: This isn't valid YAML: Map keys must be unique."],
    ['meta: {id: a', "This isn't valid YAML"],
    ['meta: {id: a}\n---\nmeta: {id: b}', "Line 2: This isn't valid YAML: There is more than one document."],
    [`[${','.repeat(250_000)}`, "Line 1: This isn't valid YAML: Unexpected , in flow sequence."],
    [
      Array.from({ length: 30_000 }, (_, index) => `k${index}:`).join('\n'),
      'Line 20000: A definition can have at most 20000 values, with aliases.',
    ],
    ['{"meta": {"id": a},\n"seq": [\n{"id": x, "type": nope}]}', "Line 3: Unable to find type 'nope'"],
    [fields('  - id: x\n    type: nope'), "Line 4: Unable to find type 'nope', searching from test (seq/0/type)."],
    [fields('  - id: x\n    size: 1 +'), 'Line 4: Parsing expression'],
    [fields('  - {id: __proto__, type: u1}'), "Line 3: Invalid attribute ID: '__proto__'"],
    [fields('', '__proto__: {seq: []}').replace('seq:\n', ''), 'key'],
    [fields('  - {id: x, type: u1}', 'types: {__proto__: {}}'), "Line 4: A type can't be named __proto__."],
    ['meta:\n  id: a\n  imports: [b]', "Line 3: Imports aren't supported. Copy the types into this definition."],
    ['meta:\n  id: a\n  ks-opaque-types: true', "Line 3: Opaque types aren't supported. Define all types here."],
    [fields('  - id: x\n    process: zlib\n    size: 2'), "Line 4: `process` isn't supported"],
    [
      fields('  - {id: x, type: u1}', 'instances:\n  a: {value: a + 1}'),
      'Line 5: The value of the instance a depends on itself. Calculate it from other fields.',
    ],
    [
      fields('  - {id: x, type: u1}', 'instances:\n  a: {value: b + x}\n  b: {value: c - 1}\n  c: {value: a * 2}'),
      'Line 5: The value of the instance a depends on itself, by way of b, c. Calculate it from other fields.',
    ],
    [
      fields(
        '  - {id: x, type: t}',
        'types: {t: {instances: {up: {value: _parent.all}}}}\ninstances: {all: {value: x.up}}',
      ),
      'The value of the instance all depends on itself, by way of up. Calculate it from other fields.',
    ],
    [fields('  - {id: x, type: b40}'), 'Line 3: b40 is too wide: a bit field has at most 32 bits.'],
    [
      fields('  - {id: f_1, type: u1}\n  - {id: f1, type: u1}'),
      'Line 4: The names f_1 and f1 differ only in underscores.',
    ],
    [
      fields('  - {id: x, type: u1, enum: mode}', 'types: {mode: {seq: []}}\nenums: {mode: {1: on}}'),
      'Line 5: The type mode and the enum mode would share a name in the compiled parser. Rename one.',
    ],
    [
      fields('  - {id: x, type: t_1}', 'types: {t_1: {seq: []}, t1: {seq: []}}'),
      'Line 4: The type t_1 and the type t1 would share a name in the compiled parser. Rename one.',
    ],
    [
      fields('  - {id: x, type: u1, enum: e1}', 'enums: {e_1: {1: one}, e1: {1: uno}}'),
      'Line 4: The enum e_1 and the enum e1 would share a name in the compiled parser. Rename one.',
    ],
    [
      fields('  - {id: x, type: t}', 'types: {t: {types: {u: {types: {t: {seq: []}}}}}}'),
      'Line 4: The type t is inside the type t. Rename one.',
    ],
    [
      fields('  - {id: x, type: str, size: 1, encoding: SHIFT_JIS}'),
      'Line 3: The encoding "SHIFT_JIS" isn\'t supported. Use ASCII',
    ],
    [
      fields('  - {id: x, size: 1}', 'instances: {y: {value: x.to_s("IBM037")}}'),
      'The encoding "IBM037" isn\'t supported.',
    ],
    ['a: &a [*a]', 'A definition can be nested at most 40 levels deep.'],
    ['['.repeat(100_000), 'A definition can be nested at most 40 levels deep.'],
    ['#'.repeat(1024 * 1024), 'A definition can have at most 262,144 characters, not 1,048,576.'],
    [
      `a: &a [${'1,'.repeat(9)}]\nb: &b [${'*a,'.repeat(9)}]\nc: &c [${'*b,'.repeat(9)}]\nd: &d [${'*c,'.repeat(9)}]\ne: [${'*d,'.repeat(9)}]`,
      'A definition can have at most 200 aliases.',
    ],
    [fields('', 'instances: {x: {value: y}, y: {value: x}}').replace('seq:\n', ''), 'by way of y.'],
  ];
  const named = cases.map(([definition, error]) => ({ definition, error }));
  test.each(named)('is rejected with a clear error: $error', async ({ definition, error }) => {
    const caught = await parsing.check('northwind', definition).catch((reason: unknown) => reason);
    expect(caught).toBeInstanceOf(DefinitionError);
    expect((caught as Error).message).toContain(error);
    expect((caught as Error).message).toMatch(/\.$/);
  });
});

describe('sub-organizations', () => {
  const messages = [Uint8Array.of(1)];
  const definition = (name: string) => fields(`  - {id: ${name}, type: u1}`);

  test('share the cache entries of their root organization', async () => {
    const compiled: string[] = [];
    const ownParsing = openParsing(async (organization) => organization.split('-', 1)[0] as string);
    const { run } = Thread.prototype;
    vi.spyOn(Thread.prototype, 'run').mockImplementation(function (this: Thread<unknown, unknown>, request) {
      if (typeof request === 'string') compiled.push(/id: (\w+), type/.exec(request)?.[1] ?? '');
      return run.call(this, request);
    });
    for (const organization of ['northwind', 'vestland-0']) {
      await ownParsing.check(organization, definition(organization.replace('-', '_')));
    }
    for (let index = 1; index < 202; index += 1)
      await ownParsing.check(`vestland-${index}`, definition(`vestland_${index}`));
    compiled.length = 0;
    await ownParsing.check('northwind', definition('northwind'));
    expect(compiled).toEqual([]);
    await ownParsing.check('vestland-0', definition('vestland_0'));
    expect(compiled).toEqual(['vestland_0']);
    await ownParsing.close();
  });

  test('do not share a realm', async () => {
    const ownParsing = openParsing(async () => 'root');
    for (const organization of ['root', 'child']) {
      expect(await ownParsing.parse(organization, definition('a'), messages)).toEqual([{ fields: { a: 1 } }]);
    }
    await ownParsing.close();
  });
});
