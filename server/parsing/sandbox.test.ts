import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { openParsing, type Parsing } from './parsing.ts';
import { newBudget, type ParseResult } from './result.ts';
import { Sandbox } from './sandbox.ts';
import { Thread, ThreadStoppedError } from './thread.ts';

// Definitions can't contain JavaScript. These tests run it anyway because a bug in Kaitai's compiler could let it
// through.

let sandbox: Sandbox;
let parsing: Parsing;
beforeAll(() => {
  sandbox = new Sandbox({ maxWaitMs: 60_000, busyError: () => new Error('busy') });
  parsing = openParsing(async (organization) => organization);
});
afterAll(async () => {
  await sandbox.close();
  await parsing.close();
});

/** Creates generated code whose parser runs these statements. `value` is the only field of its result. */
const compileParser = (statements: string, atLoad = '') => ({
  code: `define([], (exports, KaitaiStream) => {
    ${atLoad}
    class Test {
      constructor(io) { this._io = io; this._debug = {}; }
      _read() { ${statements} }
    }
    exports.Test = Test;
  });`,
  className: 'Test',
  type: { seq: [{ id: 'value' }], instances: [], types: {} },
  encodings: [],
});

const messages = (count: number) => Array.from({ length: count }, (_, index) => Uint8Array.of(index));

const run = (
  statements: string,
  { atLoad = '', organization = 'northwind', account = '', count = 1 } = {},
): Promise<ParseResult[]> =>
  sandbox.parse({
    account: account || organization,
    realm: `${organization} ${atLoad} ${statements}`,
    compiled: compileParser(statements, atLoad),
    messages: messages(count),
    withRanges: false,
    budget: newBudget(),
  });

const evaluate = async (expression: string): Promise<unknown> => {
  const [result] = await run(`this.value = ${expression};`);
  return result !== undefined && 'fields' in result ? result.fields['value'] : result;
};

describe('code in the sandbox', () => {
  test("can't reach anything outside the sandbox", async () => {
    const names = await evaluate('Object.getOwnPropertyNames(globalThis).sort().join(" ")');
    const foreignNames = String(names)
      .split(' ')
      .filter((name) => !(name in globalThis));
    expect(foreignNames).toEqual(
      ['Float16Array', 'InternalError', 'Iterator', 'KaitaiStream', 'define'].filter((name) =>
        foreignNames.includes(name),
      ),
    );
    for (const name of [
      'process',
      'require',
      'module',
      'Buffer',
      'fetch',
      'WebAssembly',
      'setTimeout',
      'console',
      'navigator',
    ]) {
      expect(await evaluate(`typeof ${name}`), name).toBe('undefined');
      expect(
        await evaluate(`typeof Function('return typeof ${name} === "undefined" ? undefined : ${name}')()`),
        name,
      ).toBe('undefined');
    }
  });

  test("can't import modules", async () => {
    const [result] = await run('this.value = String(import("node:fs"));');
    expect(result).toMatchObject({ fields: { value: '[object Promise]' } });
    const [lateResult] = await run(
      'import("node:fs").then((fs) => { globalThis.fs = fs; }); this.value = typeof globalThis.fs;',
      { count: 2 },
    );
    expect(lateResult).toMatchObject({ fields: { value: 'undefined' } });
  });

  test('shares nothing with other organizations or definitions', async () => {
    const count =
      'globalThis.count = (globalThis.count ?? 0) + 1; Array.prototype.leak = globalThis.count; this.value = [].leak;';
    await run(count, { count: 5 });
    expect(await run(count, { organization: 'vestland' })).toEqual([{ fields: { value: 1 } }]);
    expect(await evaluate('typeof [].leak + typeof globalThis.count')).toBe('undefinedundefined');
  });

  test.each([
    ['a `__proto__` key', '{"fields":{"__proto__":{"polluted":true}}}'],
    ['a nested `__proto__` key', '{"fields":{"a":[{"__proto__":1}]}}'],
    ['deep nesting', `{"fields":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`],
    ['fields that are not an object', '{"fields":[1]}'],
    ['no fields', 'null'],
    ['a non-string reason', '{"reason":{"toString":1},"path":[],"offset":"x"}'],
    ['invalid JSON', 'nonsense'],
  ])("can't return %s", async (_, json) => {
    const [result] = await run(`JSON.stringify = () => ${JSON.stringify(json)};`);
    expect(result).toMatchObject({ error: expect.stringMatching(/^Message: .*\.$/) });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("can't return a huge result or reason", async () => {
    const [result] = await run('this.value = "x".repeat(1_000_000);');
    // On a busy machine, the time may run out first.
    expect(result).toMatchObject({
      error: expect.stringMatching(/: (the result exceeds 65536 characters|parsing took longer than 50 ms)\.$/),
    });
    const [failure] = await run('throw new Error("x".repeat(1_000_000));');
    expect((failure as { error: string }).error.length).toBeLessThan(300);
  });

  test.each([
    ['an endless loop', 'for (;;);'],
    ['a loop that catches everything', 'for (;;) try { for (;;); } catch {}'],
    ['a loop in finally', 'try { for (;;); } finally { for (;;); }'],
    ['a loop in a getter', 'Object.defineProperty(this, "value", { get() { for (;;); } });'],
    ['a loop in the text of an error', 'throw { get message() { for (;;); } };'],
    ['many allocations', 'const all = []; for (;;) all.push(new Uint8Array(100_000));'],
    ['one huge allocation', 'new ArrayBuffer(1e9);'],
    ['unbounded string growth', 'let text = "x"; for (;;) text += text;'],
    ['recursion', 'const f = () => f(); f();'],
    ['recursion through natives', 'const f = () => [1].map(f); f();'],
    ['recursion through a proxy', 'const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x;'],
    ['a nested regular expression', '/(a+)+b/.exec("a".repeat(40));'],
    ['a large sort', 'new Array(5e6).fill(0).sort(() => Math.random() - 0.5);'],
    ['large integers', 'let n = 3n; for (;;) n *= n;'],
    [
      'a broken array',
      'Array.prototype.push = Array.prototype.map = null; this.value = [1]; Map.prototype.get = null;',
    ],
  ])('stops at its limits with a clear error: %s', async (_, statements) => {
    const [result] = await run(statements);
    expect(result).toEqual(expect.objectContaining({ error: expect.stringMatching(/^(Message|Field value): .*\.$/) }));
    expect(await run('this.value = 1;')).toEqual([{ fields: { value: 1 } }]);
  });

  test('names the limit if it ends before its first field', async () => {
    const [endless] = await run('for (;;);');
    expect(endless).toMatchObject({ error: 'Message: parsing took longer than 50 ms.' });
  });

  test.each([
    ['loops', 'for (;;);'],
    ['throws', 'throw new Error("no");'],
    ['needs memory', 'const all = []; for (;;) all.push(new Uint8Array(100_000));'],
  ])('fails every message if it %s while loading', async (_, atLoad) => {
    const results = await run('', { atLoad, count: 2 });
    expect(results).toHaveLength(2);
    for (const result of results)
      expect(result).toMatchObject({ error: expect.stringMatching(/^Message: the parser couldn't be loaded: .*\.$/) });
  });
});

const LEVEL = 'meta: {id: level, endian: be}\nseq:\n  - {id: level, type: u2}\n';
const ENDLESS =
  'meta: {id: endless}\nseq:\n  - {id: x, type: e, repeat: until, repeat-until: false}\ntypes: {e: {seq: []}}\n';

/** Native code that QuickJS cannot interrupt. */
const STUCK = 'const a = new Array(4e5).fill("x".repeat(10)); for (;;) a.includes("y");';

describe('a batch', () => {
  test('has a result for each message, in order', async () => {
    const results = await parsing.parse(
      'northwind',
      LEVEL,
      Array.from({ length: 1500 }, (_, index) => Uint8Array.of(index >> 8, index & 255)),
    );
    expect(results).toEqual(Array.from({ length: 1500 }, (_, level) => ({ fields: { level } })));
  });

  test('continues after a message that stops the thread', async () => {
    const { mock } = vi.spyOn(Thread.prototype, 'run');
    const results = await run(`if (this._io.readU1() === 3) { ${STUCK} } this.value = 1;`, { count: 6 });
    expect(results.map((result) => 'fields' in result)).toEqual([true, true, true, false, true, true]);
    const stopped = { type: 'rejected', value: new ThreadStoppedError('It took longer than 200 ms.') };
    expect(mock.settledResults).toContainEqual(stopped);
  });

  test.each([
    [2, true],
    [3, false],
  ])('waits for a new definition if its account already had %i slow ones: %s', async (slowCount, waits) => {
    const account = `account with ${slowCount}`;
    for (let index = 0; index < slowCount; index += 1) {
      await run('for (;;);', { account, organization: `${account}, child ${index}` });
    }
    let hasEnded = false;
    const stuck = run(STUCK, { account, organization: `${account}, child` }).then(() => (hasEnded = true));
    expect(await run('this.value = 1;', { organization: `neighbor of ${account}` })).toEqual([
      { fields: { value: 1 } },
    ]);
    expect(hasEnded).toBe(waits);
    await stuck;
  });

  test("does not wait for another organization's endless batch", async () => {
    let hasEnded = false;
    const endless = parsing.parse('vestland', ENDLESS, messages(20)).then((results) => {
      hasEnded = true;
      return results;
    });
    const results = await parsing.parse('northwind', LEVEL, [Uint8Array.of(1, 2)]);
    expect(results).toEqual([{ fields: { level: 258 } }]);
    expect(hasEnded).toBe(false);
    for (const result of await endless)
      expect(result).toEqual(
        expect.objectContaining({ error: expect.stringMatching(/^Field x.*: parsing took longer than 50 ms\.$/) }),
      );
  });

  test('skips the remaining messages after many exceed a limit', async () => {
    const results = await parsing.parse('vestland', ENDLESS, messages(45));
    expect(results).toHaveLength(45);
    const skipped = { error: 'Skipped because 40 earlier messages exceeded a limit.' };
    expect(results.slice(38)).toEqual([
      expect.anything(),
      expect.anything(),
      ...Array.from({ length: 5 }, () => skipped),
    ]);
    expect(results[39]).not.toEqual(skipped);
  });
});

test('skips the remaining messages once the result budget is used up', async () => {
  const budget = { characters: 30 };
  const parse = (count: number) =>
    parsing.parse(
      'northwind',
      LEVEL,
      Array.from({ length: count }, () => Uint8Array.of(1, 2)),
      { budget },
    );
  const results = await parse(250);
  const tried = results.findIndex((result) => 'error' in result);
  expect(tried).toBeGreaterThan(1);
  const [skipped] = await parse(1);
  expect(skipped).toEqual({ error: expect.stringMatching(/^Skipped because the results of earlier messages are/) });
  expect(results).toEqual(results.map((_, index) => (index < tried ? { fields: { level: 258 } } : skipped)));
});

/** A pseudo-random generator, so a failure can be repeated. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('a hundred thousand random messages return fields or a clear error', async () => {
  const definitions = [
    LEVEL,
    `meta: {id: a, endian: le, encoding: UTF-8}
seq:
  - {id: kind, type: u1, enum: kind}
  - {id: count, type: b4}
  - {id: flag, type: b1}
  - {id: rest_of_byte, type: b3}
  - {id: items, type: item, repeat: expr, repeat-expr: count}
  - {id: name, type: strz, if: flag}
  - {id: tail, type: {switch-on: kind, cases: {'kind::level': f4, 'kind::text': text}}}
instances:
  ratio: {value: count / kind.to_i}
  last: {value: items.last.raw}
types:
  item: {seq: [{id: length, type: u1}, {id: raw, size: length % 4}]}
  text: {seq: [{id: text, type: str, size-eos: true, encoding: UTF-16BE}]}
enums: {kind: {1: level, 2: text}}
`,
    'meta: {id: a, endian: be}\nseq:\n  - {id: values, type: s8, repeat: eos}\n',
    'meta: {id: a, endian: be}\nseq:\n  - {id: size, type: u4}\n  - {id: body, size: size, type: body}\ntypes: {body: {seq: [{id: raw, size-eos: true}]}}\n',
  ];
  const next = random(11);
  const randomMessages = Array.from({ length: 25_000 }, () =>
    Uint8Array.from({ length: Math.floor(next() * 24) }, () => Math.floor(next() * 256)),
  );
  for (const definition of definitions) {
    for (let start = 0; start < randomMessages.length; start += 5000) {
      const results = await parsing.parse('northwind', definition, randomMessages.slice(start, start + 5000));
      expect(results).toHaveLength(5000);
      const outliers = results.filter((result) =>
        'error' in result ? !/^(Field|Message).*\.$/.test(result.error) : !('fields' in result),
      );
      expect(outliers).toEqual([]);
    }
  }
});
