import { ASK, replaceWithAsk, type Kind, type KindValues } from '#commands/model/arg-value.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { fileContent, fileReference } from '#commands/model/files.ts';
import type { ParamShapes } from '#commands/model/kinds.ts';
import { parseMoment } from '#commands/model/moment.ts';
import { isSelection, SELECTION, type Target } from '#commands/model/target.ts';
import { parseFutureTime, parseTime } from '#commands/model/time.ts';
import { isFilter, parseFilter } from '#commands/query/parse.ts';
import { printFilter } from '#commands/query/print.ts';
import { matchOption } from '#commands/query/values.ts';
import { nearDurations, parseDuration, printDuration } from '#commands/text/duration.ts';
import { message, type Message } from '#commands/text/message.ts';
import { namesWithWords, nearestNames } from '#commands/text/near.ts';
import { inQuotes, parseList, printList, readQuoted } from '#commands/text/quotes.ts';

export type ParseResult<V> = { readonly value: V } | { readonly problem: Message };

/**
 * The syntax of a kind in a line. Most values are one string. Pairs have one string per entry, and lists may span
 * several strings. `parse(print(x))` is `x` for every canonical value, and `parse` also accepts other spellings.
 */
interface Literal<V, Shape> {
  print(value: V, param: Shape): readonly string[];
  parse(inputs: readonly string[], param: Shape): ParseResult<V>;
}

const EVERYTHING = '*';
const SELECTION_TEXT = '@selection';

/** Returns the syntax for a kind whose values are written as a single string. */
function singleLiteral<V, Shape>(
  print: (value: V, param: Shape) => string,
  parse: (text: string, param: Shape) => ParseResult<V>,
): Literal<V, Shape> {
  return {
    print: (value, param) => [print(value, param)],
    parse: ([text = '', ...others], param) =>
      others.length > 0 ? { problem: message('running:line.twice') } : parse(text, param),
  };
}

/** Returns the syntax for a kind whose values are lists, separated by commas or written as several words. */
function listLiteral<Shape>(
  parseItem: (text: string, param: Shape) => ParseResult<string> = (value) => ({ value }),
): Literal<readonly string[], Shape> {
  return {
    print: (value) => [printList(value)],
    parse: (inputs, param) => {
      const items = inputs.flatMap(parseList).map((text) => parseItem(text, param));
      const problem = items.find((item) => 'problem' in item);
      return problem ?? { value: items.flatMap((item) => ('value' in item ? [item.value] : [])) };
    },
  };
}

/** Returns the value, or the problem `key` if the text couldn't be parsed. */
const valueOrProblem = <V>(value: V | undefined, key: string, text: string): ParseResult<V> =>
  value === undefined ? { problem: message(key, { value: text }) } : { value };

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

export const parseFlag = (text: string): ParseResult<boolean> =>
  valueOrProblem(FLAGS.get(text.toLowerCase()), 'core:validation.flag', text);

const textLiteral = singleLiteral<string, unknown>(
  (value) => value,
  (value) => ({ value }),
);

function parseOption(text: string, { options }: { readonly options: readonly string[] }): ParseResult<string> {
  const value = matchOption(text, options);
  if (value !== undefined) return { value };
  const closest = nearestNames(text, options);
  const nearMatches = closest.length > 0 ? closest : namesWithWords(text, options);
  if (nearMatches.length > 0)
    return { problem: message('core:validation.optionNear', { value: text, near: nearMatches.join(', ') }) };
  return { problem: message('core:validation.option', { value: text, options: options.join(', ') }) };
}

function parseDurationLiteral(text: string): ParseResult<number> {
  const value = parseDuration(text);
  if (value !== undefined) return { value };
  const nearMatches = nearDurations(text).join(', ');
  if (nearMatches !== '')
    return { problem: message('core:validation.durationNear', { value: text, near: nearMatches }) };
  return { problem: message('core:validation.duration', { value: text }) };
}

export const literals: { readonly [K in Kind]: Literal<KindValues[K], ParamShapes[K]> } = {
  text: textLiteral,
  number: singleLiteral(
    (value) => (Object.is(value, -0) ? '-0' : String(value)),
    (text) => {
      const number = text.trim() === '' ? NaN : Number(text);
      return valueOrProblem(Number.isFinite(number) ? number : undefined, 'core:validation.numeric', text);
    },
  ),
  // A flag is usually written as `--name` or `--no-name`. This parses an explicit value, as in `--name=false`.
  flag: singleLiteral(String, parseFlag),
  duration: singleLiteral(printDuration, parseDurationLiteral),
  time: singleLiteral(
    (value) => value,
    (text, { future }) =>
      valueOrProblem(future ? parseFutureTime(text) : parseTime(text), 'core:validation.time', text),
  ),
  range: singleLiteral(printRange, parseRange),
  choice: singleLiteral((value) => value, parseOption),
  choices: listLiteral(parseOption),
  words: listLiteral(),
  pairs: {
    print: (value, { hidden }) =>
      Object.entries(hidden ? replaceWithAsk(value) : value).map(([name, text]) => `${pairName(name)}=${text}`),
    parse: parsePairs,
  },
  secret: singleLiteral(
    // A secret is never printed in a line. An empty value clears the secret and reveals nothing.
    (value) => (value === '' ? '' : ASK),
    (value) => ({ value }),
  ),
  // A path needs no @, because nothing else is a file. The printed line has it.
  file: singleLiteral(fileReference, parseFile),
  files: {
    print: (values) => [values.map((value) => quoteInList(fileReference(value))).join(',')],
    parse: listLiteral(parseFile).parse,
  },
  ref: textLiteral,
  refs: listLiteral(),
  many: singleLiteral(printTarget, parseTarget),
  query: singleLiteral((value) => value || EVERYTHING, parseQuery),
};

/** Quotes a path that would be misread in a list. */
const quoteInList = (path: string): string => (/\s$|[",]/.test(path) ? inQuotes(path) : path);

function parseFile(text: string): ParseResult<string> {
  if (text === '@') return { problem: message('core:validation.file') };
  return { value: text === '' || text.startsWith('@') || fileContent(text) ? text : `@${text}` };
}

function printRange({ start, end }: KindValues['range']): string {
  return start === end && !/^[-+]/.test(start) ? start : `${start}..${end}`;
}

/** Matches the end of a time with an offset from UTC: `20:00Z`, `20:00 +02:00`. */
const WITH_OFFSET = /:\d{2}(?:\.\d+)?\s*(?:z|[-+]\d{2}:\d{2})$/i;

function parseRange(text: string, { local }: { readonly local?: boolean }): ParseResult<KindValues['range']> {
  const invalidRange = { problem: message(`core:validation.${local ? 'localRange' : 'range'}`, { value: text }) };
  // The parsed time would be in UTC.
  if (local && text.split('..').some((time) => WITH_OFFSET.test(time.trim()))) return invalidRange;
  const [first = '', second, ...others] = text.split('..');
  if (others.length > 0) return invalidRange;
  if (second !== undefined) {
    const [start, end] = [parseTime(first), parseTime(second)];
    return start === undefined || end === undefined ? invalidRange : { value: { start, end } };
  }
  const moment = parseMoment(first);
  if (moment === undefined) return invalidRange;
  // An age, with or without a sign, means the range from that time until now. Any other time is both the start and the
  // end of the range.
  const isTime = parseTime(first) !== undefined;
  if (isTime && !moment.startsWith('-')) return { value: { start: moment, end: moment } };
  return { value: { start: isTime ? moment : `-${moment}`, end: 'now' } };
}

function pairName(name: string): string {
  return /^$|[="]|^\s|\s$/.test(name) ? inQuotes(name) : name;
}

function parsePairs(inputs: readonly string[]): ParseResult<KindValues['pairs']> {
  const pairs: [string, string][] = [];
  for (const text of inputs) {
    if (text === '') continue;
    const quotedName = text.startsWith('"') ? readQuoted(text, 0) : undefined;
    const equalsIndex = text.indexOf('=', quotedName?.to ?? 0);
    if (equalsIndex < 0) return { problem: message('core:validation.pair', { value: text }) };
    const name = quotedName ? quotedName.text : text.slice(0, equalsIndex).trim();
    // Otherwise, the earlier value would be lost.
    if (pairs.some(([other]) => other === name)) return { problem: message('core:validation.pairTwice', { name }) };
    pairs.push([name, text.slice(equalsIndex + 1)]);
  }
  return { value: Object.fromEntries(pairs) };
}

function parseQuery(text: string, { entity }: { readonly entity: () => AnyEntity }): ParseResult<string> {
  const { filter, problems } = parseFilter(text, entity());
  return problems[0] ? { problem: problems[0].message } : { value: printFilter(filter) };
}

/**
 * Prints a target. An id with a distinctive form is printed unchanged, and any other id as `#id`. Plain words are a
 * name, and plain words after `*` are a search.
 */
function printTarget(target: Target, param: ParamShapes['many']): string {
  if (isSelection(target)) return SELECTION_TEXT;
  const entity = param.entity();
  if ('ids' in target) return printList(target.ids.map((id) => (entity.isId(id) ? id : `#${id}`)));
  if ('named' in target) return target.named;
  const text = target.query || EVERYTHING;
  return parseIds(text, entity) || !isFilter(text, entity) ? `${EVERYTHING} ${text}` : text;
}

function parseTarget(text: string, param: ParamShapes['many']): ParseResult<Target> {
  const trimmed = text.trim();
  if (trimmed === '') return { problem: message('core:validation.required') };
  if (trimmed.toLowerCase() === SELECTION_TEXT) return { value: SELECTION };
  const ids = parseIds(trimmed, param.entity());
  if (ids) return { value: { ids } };
  // Plain words are the exact names of items, so `Anna` doesn't match Hanna.
  if (!isFilter(trimmed, param.entity())) {
    const isEmpty = parseList(trimmed).every((name) => name.trim() === '');
    return isEmpty ? { problem: message('core:validation.required') } : { value: { named: trimmed } };
  }
  const { filter, problems } = parseFilter(trimmed, param.entity());
  const [problem] = problems;
  if (!problem) return { value: { query: printFilter(filter) } };
  if (problem.message.key !== 'core:query.starWord') return { problem: problem.message };
  // A filter would suggest `Anna` instead of `Anna*`, but here a plain `Anna` is a name.
  const search = [EVERYTHING, ...(problem.fixes ?? [])].join(' ');
  return { problem: message('running:line.starredName', { word: trimmed.slice(problem.from, problem.to), search }) };
}

function parseIds(text: string, entity: AnyEntity): readonly string[] | undefined {
  const parts = parseList(text);
  if (parts.length === 0 || !parts.every((part) => /^#\S/.test(part) || entity.isId(part))) return undefined;
  return [...new Set(parts.map((part) => entity.toId(part.startsWith('#') ? part.slice(1) : part)))];
}
