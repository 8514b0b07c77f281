import { isFilter, parseFilter } from '#commands/query/parse.ts';
import { printFilter } from '#commands/query/print.ts';
import { matchOption } from '#commands/query/values.ts';
import { nearest } from '#commands/text/near.ts';
import { parseDuration, printDuration } from '#commands/text/duration.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { fileContent, fileReference } from '#commands/model/files.ts';
import { ASK, withAsk, type Kind, type KindValues } from '#commands/model/arg-value.ts';
import type { ParamShapes } from '#commands/model/kinds.ts';
import { message, type Message } from '#commands/text/message.ts';
import { inQuotes, parseList, printList, readQuoted } from '#commands/text/quotes.ts';
import { isSelection, SELECTION, type Target } from '#commands/model/target.ts';
import { parseMoment, parseTime } from '#commands/model/time.ts';

export type Read<V> = { readonly value: V } | { readonly problem: Message };

/**
 * How a kind is written in a line. A value is usually one text; pairs are one for each, and lists may be given in
 * several. `parse(print(x))` is `x` for every canonical value, and `parse` takes what a person would type.
 */
interface Literal<V, Shape> {
  print(value: V, param: Shape): readonly string[];
  parse(texts: readonly string[], param: Shape): Read<V>;
}

const EVERYTHING = '*';
const SELECTED = '@selection';

/** A kind whose value is one text. */
function single<V, Shape>(
  print: (value: V, param: Shape) => string,
  parse: (text: string, param: Shape) => Read<V>,
): Literal<V, Shape> {
  return {
    print: (value, param) => [print(value, param)],
    parse: ([text = '', ...more], param) =>
      more.length > 0 ? { problem: message('core:line.twice') } : parse(text, param),
  };
}

/** A kind whose value is a list of texts, in one text with commas or in several. */
function list<Shape>(
  pick: (text: string, param: Shape) => Read<string> = (value) => ({ value }),
): Literal<readonly string[], Shape> {
  return {
    print: (value) => [printList(value)],
    parse: (texts, param) => {
      const read = texts.flatMap(parseList).map((text) => pick(text, param));
      const wrong = read.find((item) => 'problem' in item);
      return wrong ?? { value: read.flatMap((item) => ('value' in item ? [item.value] : [])) };
    },
  };
}

const some = <V>(value: V | undefined, key: string, given: string): Read<V> =>
  value === undefined ? { problem: message(key, { value: given }) } : { value };

const asText = single<string, unknown>(
  (value) => value,
  (value) => ({ value }),
);

function option(text: string, { options }: { readonly options: readonly string[] }): Read<string> {
  const value = matchOption(text, options);
  if (value !== undefined) return { value };
  const near = nearest(text, options).join(', ');
  if (near !== '') return { problem: message('core:validation.optionNear', { value: text, near }) };
  return { problem: message('core:validation.option', { value: text, options: options.join(', ') }) };
}

export const literals: { readonly [K in Kind]: Literal<KindValues[K], ParamShapes[K]> } = {
  text: asText,
  number: single(
    (value) => (Object.is(value, -0) ? '-0' : String(value)),
    (text) => {
      const number = text.trim() === '' ? NaN : Number(text);
      return some(Number.isFinite(number) ? number : undefined, 'core:validation.numeric', text);
    },
  ),
  // In a line a flag is `--name` or `--no-name`; this is its value where one is written (`--name=false`).
  flag: single(String, (text) => some({ true: true, false: false }[text.toLowerCase()], 'core:validation.flag', text)),
  duration: single(printDuration, (text) => some(parseDuration(text), 'core:validation.duration', text)),
  time: single(
    (value) => value,
    (text) => some(parseTime(text), 'core:validation.time', text),
  ),
  range: single(printRange, parseRange),
  choice: single((value) => value, option),
  choices: list(option),
  words: list(),
  pairs: {
    print: (value, { hidden }) =>
      Object.entries(hidden ? withAsk(value) : value).map(([name, text]) => `${pairName(name)}=${text}`),
    parse: parsePairs,
  },
  secret: single(
    // Never in a line; the empty one hides nothing and clears.
    (value) => (value === '' ? '' : ASK),
    (value) => ({ value }),
  ),
  file: single(fileReference, (text) =>
    some(text === '' || /^@./.test(text) || fileContent(text) ? text : undefined, 'core:validation.file', text),
  ),
  ref: asText,
  refs: list(),
  many: single(printTarget, parseTarget),
  query: single((value) => value || EVERYTHING, parseQuery),
};

function printRange({ start, end }: KindValues['range']): string {
  return start === end && !/^[-+]/.test(start) ? start : `${start}..${end}`;
}

function parseRange(text: string): Read<KindValues['range']> {
  const wrong = { problem: message('core:validation.range', { value: text }) };
  const [first = '', second, ...more] = text.split('..');
  if (more.length > 0) return wrong;
  if (second !== undefined) {
    const [start, end] = [parseTime(first), parseTime(second)];
    return start === undefined || end === undefined ? wrong : { value: { start, end } };
  }
  const moment = parseMoment(first);
  if (moment === undefined) return wrong;
  // So long ago until now, with or without the sign; anything else is the whole of itself.
  const isTime = parseTime(first) !== undefined;
  if (isTime && !moment.startsWith('-')) return { value: { start: moment, end: moment } };
  return { value: { start: isTime ? moment : `-${moment}`, end: 'now' } };
}

function pairName(name: string): string {
  return /^$|[="]|^\s|\s$/.test(name) ? inQuotes(name) : name;
}

function parsePairs(texts: readonly string[]): Read<KindValues['pairs']> {
  const pairs: [string, string][] = [];
  for (const text of texts) {
    if (text === '') continue;
    const quoted = text.startsWith('"') ? readQuoted(text, 0) : undefined;
    const at = text.indexOf('=', quoted?.to ?? 0);
    if (at < 0) return { problem: message('core:validation.pair', { value: text }) };
    const name = quoted ? quoted.text : text.slice(0, at).trim();
    pairs.push([name, text.slice(at + 1)]);
  }
  return { value: Object.fromEntries(pairs) };
}

function parseQuery(text: string, { entity }: { readonly entity: () => AnyEntity }): Read<string> {
  const { filter, problems } = parseFilter(text, entity());
  return problems[0] ? { problem: problems[0].message } : { value: printFilter(filter) };
}

/**
 * The form of an id distinguishes it from a filter; other ids are written `#id`. Plain words are a name; `*` in front
 * of them searches.
 */
function printTarget(target: Target, param: ParamShapes['many']): string {
  if (isSelection(target)) return SELECTED;
  const of = param.entity();
  if ('ids' in target) return printList(target.ids.map((id) => (of.isId(id) ? id : `#${id}`)));
  if ('named' in target) return target.named;
  const text = target.query || EVERYTHING;
  return asIds(text, of) || !isFilter(text, of) ? `${EVERYTHING} ${text}` : text;
}

function parseTarget(text: string, param: ParamShapes['many']): Read<Target> {
  const trimmed = text.trim();
  if (trimmed === '') return { problem: message('core:validation.required') };
  if (trimmed.toLowerCase() === SELECTED) return { value: SELECTION };
  const ids = asIds(trimmed, param.entity());
  if (ids) return { value: { ids } };
  // Words that are no filter name items, so that `Anna` is not also Hanna.
  if (!isFilter(trimmed, param.entity())) {
    const isEmpty = parseList(trimmed).every((name) => name.trim() === '');
    return isEmpty ? { problem: message('core:validation.required') } : { value: { named: trimmed } };
  }
  const { filter, problems } = parseFilter(trimmed, param.entity());
  const [problem] = problems;
  if (!problem) return { value: { query: printFilter(filter) } };
  if (problem.message.key !== 'core:query.starWord') return { problem: problem.message };
  // A filter is told to leave out the star of `Anna*`, but `Anna` alone is a name here.
  const search = [EVERYTHING, ...(problem.fixes ?? [])].join(' ');
  return { problem: message('core:line.starredName', { word: trimmed.slice(problem.from, problem.to), search }) };
}

function asIds(text: string, entity: AnyEntity): readonly string[] | undefined {
  const parts = parseList(text);
  if (parts.length === 0 || !parts.every((part) => /^#\S/.test(part) || entity.isId(part))) return undefined;
  return [...new Set(parts.map((part) => entity.toId(part.startsWith('#') ? part.slice(1) : part)))];
}
