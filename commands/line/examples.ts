import { ASK, type ArgValue, type Kind, type KindValues } from '#commands/model/arg-value.ts';
import { targetParam, type Command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { ANY_TYPE } from '#commands/model/files.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { Param, ParamShapes } from '#commands/model/kinds.ts';
import type { Target } from '#commands/model/target.ts';
import { printFilter } from '#commands/query/print.ts';
import { parsedViews } from '#commands/query/views.ts';

/** Returns the filter of the entity's example, or of the first view that selects something. */
function createFilter(entity: AnyEntity): string {
  if (entity.example?.filter !== undefined) return entity.example.filter;
  const filters = parsedViews(entity).map(({ parsed }) => parsed.filter);
  const filter = filters.find(({ terms, words }) => terms.length + words.length > 0);
  return filter ? printFilter({ ...filter, sort: [] }) : '';
}

/** Returns a filter that finds a few items, or one item if there is no such filter. */
function createTarget(entity: AnyEntity, isOne: boolean): Target {
  const { example } = entity;
  const isNamed = example && (isOne || example.filter === undefined);
  return isNamed ? { named: example.name } : { query: createFilter(entity) };
}

const createName = (entity: AnyEntity): string => entity.example?.name ?? 'Some name';

/** An example value of each kind, for the help. */
const SAMPLES: { readonly [K in Kind]: (param: ParamShapes[K]) => KindValues[K] } = {
  text: ({ placeholder }) => placeholder ?? 'Some text',
  number: ({ min = 1 }) => Math.max(min, 1),
  flag: () => true,
  duration: ({ min = 0 }) => Math.max(min, 900),
  time: () => '2026-01-31 20:00',
  range: () => ({ start: '-10h', end: 'now' }),
  choice: ({ options }) => options[0] ?? '',
  choices: ({ options }) => options.slice(0, 2),
  words: ({ example }) => example ?? ['one', 'two'],
  pairs: ({ hidden }) => ({ 'X-Site': hidden ? ASK : 'north' }),
  secret: () => ASK,
  file: sampleFile,
  files: (param) => [sampleFile(param)],
  ref: ({ entity }) => createName(entity()),
  refs: ({ entity }) => [createName(entity())],
  many: ({ entity, atMost }) => createTarget(entity(), atMost === 1),
  query: ({ entity }) => createFilter(entity()),
};

function sampleFile({ accept }: Pick<ParamShapes['file'], 'accept'>): string {
  if (accept.some((type) => type.startsWith('image/'))) return '@logo.png';
  if (accept.includes(ANY_TYPE)) return '@photo.jpg';
  return accept.includes('text/csv') ? '@rows.csv' : '@level.ksy';
}

/** The kinds of options that an example of an edit sets, if it has one. */
const EDITED_KINDS: readonly Kind[] = ['choice', 'choices', 'number', 'duration', 'pairs'];

/** Returns an example value of a param. */
export function createSample(param: Param): ArgValue {
  return (SAMPLES[param.kind] as (param: Param) => ArgValue)(param);
}

/**
 * Returns the params that give a command its table, by kind: as text, or as a file. An example has a file, because the
 * text of a table is too long.
 */
function tableOf({ params }: Command): Readonly<Record<string, Kind>> | undefined {
  const { file } = params;
  const texts = Object.entries(params).filter(([, param]) => param.kind === 'text' && param.fromInput);
  return file?.kind === 'file' && texts.length > 0
    ? { file: 'file', ...Object.fromEntries(texts.map(([name]) => [name, 'text' as const])) }
    : undefined;
}

/**
 * Returns an example invocation of a command, with its required and positional arguments. An edit, which changes
 * nothing without options, also has one of those.
 */
export function createExample(command: Command): Invocation {
  const table = tableOf(command);
  const isGiven = ([name, { required, unless = '' }]: readonly [string, Param]): boolean =>
    table && name in table
      ? table[name] === 'file'
      : (required && !command.positional.includes(unless)) || command.positional.includes(name);
  const params = Object.entries(command.params).filter(isGiven);
  const options = Object.entries(command.params).filter((entry) => !isGiven(entry));
  const isEdit = command.initial !== undefined || options.some(([, { kind }]) => kind === 'pairs');
  if (isEdit && params.every(([name]) => name === targetParam(command)?.name)) {
    // Texts, such as names, often have to be unique.
    const option = options.find(([, { kind }]) => EDITED_KINDS.includes(kind)) ?? options[0];
    if (option) params.push(option);
  }
  const args = Object.fromEntries(params.map(([name, param]) => [name, createSample(param)]));
  // A text, such as a name, is rarely the same for several items.
  const target = targetParam(command);
  const hasText = command.positional.some((name) => command.params[name]?.kind === 'text');
  const targetArgs = target && hasText ? { [target.name]: createTarget(target.entity, true) } : {};
  return { id: command.id, args: { ...args, ...targetArgs, ...command.example } };
}
