import { ASK, type ArgValue, type Kind, type KindValues } from '#commands/model/arg-value.ts';
import type { Command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { ANY_TYPE } from '#commands/model/files.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { Param, ParamShapes } from '#commands/model/kinds.ts';
import { printFilter } from '#commands/query/print.ts';
import { parsedViews } from '#commands/query/views.ts';

/** Returns the filter of the first view that selects something. */
function createFilter(entity: AnyEntity): string {
  const filters = parsedViews(entity).map(({ parsed }) => parsed.filter);
  const filter = filters.find(({ terms, words }) => terms.length + words.length > 0);
  return filter ? printFilter({ ...filter, sort: [] }) : '';
}

/** An example value of each kind, for the help. */
const SAMPLES: { readonly [K in Kind]: (param: ParamShapes[K]) => KindValues[K] } = {
  text: ({ placeholder }) => placeholder ?? 'Some text',
  number: ({ min = 1 }) => min,
  flag: () => true,
  duration: ({ min = 0 }) => Math.max(min, 900),
  time: () => '2026-01-31 20:00',
  range: () => ({ start: '-10h', end: 'now' }),
  choice: ({ options }) => options[0] ?? '',
  choices: ({ options }) => options.slice(0, 2),
  words: ({ example }) => example ?? ['one', 'two'],
  pairs: ({ hidden }) => ({ 'X-Site': hidden ? ASK : 'north' }),
  secret: () => ASK,
  file: ({ accept }) =>
    accept.some((type) => type.startsWith('image/'))
      ? '@logo.png'
      : accept.includes(ANY_TYPE)
        ? '@photo.jpg'
        : '@level.ksy',
  ref: () => 'Some name',
  refs: () => ['Some name'],
  many: ({ entity }) => ({ query: createFilter(entity()) }),
  query: ({ entity }) => createFilter(entity()),
};

/** Returns an example value of a param. */
export function createSample(param: Param): ArgValue {
  return (SAMPLES[param.kind] as (param: Param) => ArgValue)(param);
}

/** Returns an example invocation of a command, with its required and positional arguments. */
export function createExample(command: Command): Invocation {
  const params = Object.entries(command.params).filter(
    ([name, { required, unless = '' }]) =>
      (required && !command.positional.includes(unless)) || command.positional.includes(name),
  );
  return { id: command.id, args: Object.fromEntries(params.map(([name, param]) => [name, createSample(param)])) };
}
