import fc from 'fast-check';

import { ASK, type ArgValue, type Kind, type KindValues } from '#commands/model/arg-value.ts';
import type { Command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { ParamShapes } from '#commands/model/kinds.ts';
import { SELECTION, type Target } from '#commands/model/target.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { printFilter } from '#commands/query/print.ts';

/** Text that users or attackers might type, such as quotes, spaces, options, dollar signs, and other scripts. */
export const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '--yes',
    '-',
    '@file',
    '@ask',
    "it's",
    '"',
    '\\',
    '$HOME',
    '`ls`',
    'a,b',
    ' x ',
    '#12',
    'a=b',
    '!1',
    'naïve 井',
  ),
);

const time = fc.constantFrom('now', '-10h', '+30d', '2026-01-31', '2026-01-31 20:00', 'last month');
const ids = fc.uniqueArray(fc.constantFrom('5529 0491', '12', 'acme-north', 'a,b', 'My view'), { minLength: 1 });

/** Generates canonical filters for an entity, including words that resemble ids, options, and `@selection`. */
function query(entity: AnyEntity): fc.Arbitrary<string> {
  const term = fc
    .constantFrom(...Object.keys(entity.filter), 'sort')
    .chain((key) => text.map((value) => `${key}:${value}`));
  const typed = fc.array(fc.oneof(term, text, fc.constantFrom('5529 0491', '@selection', '#12 x', '-')), {
    maxLength: 3,
  });
  return typed.map((parts) => printFilter(parseFilter(parts.join(' '), entity).filter));
}

function target(entity: AnyEntity): fc.Arbitrary<Target> {
  const canonical = ids.map((item) => ({ ids: [...new Set(item.map((id) => entity.toId(id)))] }));
  const nameArbitrary = fc.constantFrom(
    'Well 7',
    'Pump, north',
    'a,b c',
    '"a:b", c',
    '"@selection"',
    'North and South (old)',
  );
  return fc.oneof(
    fc.constant(SELECTION),
    canonical,
    nameArbitrary.map((item) => ({ named: item })),
    query(entity).map((value) => ({ query: value })),
  );
}

/** Generators by kind. They generate canonical values, which stay the same when printed and parsed again. */
const arbitraries: { readonly [K in Kind]: (param: ParamShapes[K]) => fc.Arbitrary<KindValues[K]> } = {
  text: () => text,
  number: () => fc.double({ noNaN: true, noDefaultInfinity: true }),
  flag: () => fc.boolean(),
  duration: () => fc.nat(),
  time: () => time,
  range: () => fc.oneof(fc.record({ start: time, end: time }), fc.constant({ start: 'last month', end: 'last month' })),
  choice: ({ options }) => fc.constantFrom(...options),
  choices: ({ options }) => fc.subarray([...options]),
  words: () => fc.array(text, { maxLength: 4 }),
  pairs: ({ hidden }) =>
    fc.dictionary(text, hidden ? fc.constantFrom(ASK, '') : text, { maxKeys: 3, noNullPrototype: true }),
  secret: () => fc.constantFrom(ASK, ''),
  file: () => fc.constantFrom('@logo.png', '@dir/our logo.png', ''),
  files: () => fc.subarray(['@logo.png', '@dir/our logo.png', '@a,b.png', '@say "hi".png', '@end ']),
  ref: () => text,
  refs: () => fc.array(text, { maxLength: 4 }),
  many: ({ entity }) => target(entity()),
  query: ({ entity }) => query(entity()),
};

/** Generates invocations of a command, each with some of its arguments. */
export function invocations(command: Command): fc.Arbitrary<Invocation> {
  const args = Object.entries(command.params).map(([name, param]): [string, fc.Arbitrary<ArgValue>] => {
    const make = arbitraries[param.kind] as (param: unknown) => fc.Arbitrary<ArgValue>;
    return [name, make(param)];
  });
  return fc
    .record(Object.fromEntries(args), { requiredKeys: [], noNullPrototype: true })
    .map((values) => ({ id: command.id, args: values }));
}
