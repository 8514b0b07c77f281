import type { AnyEntity } from '#commands/model/entity.ts';
import { message, type Message } from '#commands/text/message.ts';
import { parseMoment } from '#commands/model/time.ts';
import { keyNamed, RESERVED } from './keys.ts';
import {
  inText,
  JOINS,
  OPERATOR,
  ORDER,
  readOperator,
  readPieces,
  tokenize,
  type Piece,
  type Token,
} from './tokens.ts';
import { matchOption } from './values.ts';

/** A token as this language means it, or what other languages write where this one has no word for it. */
export interface Spelled {
  readonly token: Token;
  readonly refused?: { readonly message: Message; readonly fixes: readonly string[] };
}

/** A step through the tokens: what was read, and where to go on. */
interface Step {
  readonly spelled?: Spelled;
  readonly next: number;
}

/** The text being read. */
interface Source {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly entity: AnyEntity;
}

/**
 * The tokens of a text, with the spellings of other languages read as what they mean: `NOT a:b`, `a != b`, `a > 2
 * days`, `x AND y`. What can only be said otherwise, such as `a:b OR a:c` or parentheses, is refused with the text that
 * says it.
 */
export function spell(text: string, entity: AnyEntity): readonly Spelled[] {
  const source: Source = { text, tokens: tokenize(text), entity };
  const found: Spelled[] = [];
  for (let at = 0; at < source.tokens.length;) {
    const step = stepAt(source, at, found.length > 0);
    if (step.spelled) found.push(step.spelled);
    at = step.next;
  }
  return found;
}

function stepAt(source: Source, at: number, after: boolean): Step {
  const rules = [inParentheses, joinedByOr, joinedByAnd, negated, listedIds, likened];
  for (const rule of rules) {
    const step = rule(source, at, after);
    if (step) return step;
  }
  return termAt(source, at);
}

const unquoted = (text: string): string => text.replace(/"(?:\\.|[^"\\])*"?/g, '');

/** The word of a token that is nothing but one, outside quotes. */
function bareWord(token: Token | undefined): string | undefined {
  if (!token || token.key !== undefined || token.negated || token.pieces[0]?.quoted) return undefined;
  return token.pieces[0]?.text;
}

const joins = (token: Token | undefined, pattern: RegExp): boolean => pattern.test(bareWord(token) ?? '');
const AND = /^(?:and|&&?)$/i;
const OR = /^(?:or|\|\|?)$/i;
const NOT = /^not$/i;

/** Only opening ones count: a name may end in `(old)`, and then nothing is grouped. */
function inParentheses(source: Source, at: number): Step | undefined {
  const not = joins(source.tokens[at], NOT);
  const start = source.tokens[not ? at + 1 : at];
  if (!start) return undefined;
  const raw = inText(source.text, start);
  const opens = /^[-!]?\(/.test(raw);
  const depthOf = (token: Token): number => {
    const plain = unquoted(inText(source.text, token));
    return (plain.match(/\(/g)?.length ?? 0) - (plain.match(/\)/g)?.length ?? 0);
  };
  if (!opens && !(unquoted(raw).endsWith(')') && depthOf(start) < 0)) return undefined;
  let [last, depth] = [not ? at + 1 : at, depthOf(start)];
  const end = opens ? source.tokens.length - 1 : last;
  while (depth > 0 && last < end) depth += depthOf(source.tokens[++last]!);
  if (depth > 0) last = not ? at + 1 : at;
  const { to } = source.tokens[last]!;
  const whole = inText(source.text, { from: start.from, to });
  const inner = whole
    .replace(/^[-!]?\(+/, '')
    .replace(/\)+$/, '')
    .trim();
  const leavesOut = not || /^[-!]\(/.test(raw);
  const several = tokenize(inner).length > 1;
  const token = { ...start, from: source.tokens[at]!.from, to };
  const values = { at: token.from + 1 };
  const refused = leavesOut
    ? { message: message('core:query.negatedGroup', values), fixes: several || !inner ? [] : [`-${inner}`] }
    : { message: message('core:query.parentheses', values), fixes: inner ? [inner] : [] };
  return { spelled: { token, refused }, next: last + 1 };
}

/** Values of one key are joined by commas; nothing else can be joined by *or*. */
function joinedByOr(source: Source, at: number): Step | undefined {
  const { tokens } = source;
  const chain = [tokens[at]!];
  let next = at + 1;
  while (joins(tokens[next], OR) && tokens[next + 1]) {
    chain.push(tokens[next + 1]!);
    next += 2;
  }
  if (chain.length === 1) return undefined;
  const [first] = chain;
  const token = { ...first!, from: first!.from, to: chain.at(-1)!.to };
  const key = first!.key?.toLowerCase();
  const alike = chain.every(
    (item) => item.key?.toLowerCase() === key && item.operator === ':' && !item.negated && !item.range,
  );
  const place = { at: tokens[at + 1]!.from + 1 };
  if (!alike) return { spelled: { token, refused: { message: message('core:query.or', place), fixes: [] } }, next };
  const values = chain.map((item) => source.text.slice(item.pieces[0]!.from, item.to));
  const fix = `${first!.key}:${values.join(',')}`;
  return {
    spelled: { token, refused: { message: message('core:query.orValues', { fix, ...place }), fixes: [fix] } },
    next,
  };
}

/** Terms are joined by *and* already. */
function joinedByAnd({ tokens }: Source, at: number, after: boolean): Step | undefined {
  return after && tokens[at + 1] && joins(tokens[at], AND) ? { next: at + 1 } : undefined;
}

function negated(source: Source, at: number): Step | undefined {
  const not = source.tokens[at]!;
  if (!joins(not, NOT) || !source.tokens[at + 1]) return undefined;
  const { spelled, next } = termAt(source, at + 1);
  if (!spelled) return undefined;
  return { spelled: { token: { ...spelled.token, from: not.from, negated: !spelled.token.negated } }, next };
}

/** `A381 1C9D, 6D5B EFEF` and `A381-1C9D`: ids as lists and other systems write them are items, not words. */
function listedIds(source: Source, at: number): Step | undefined {
  const { entity, tokens } = source;
  if (entity.idKey === undefined) return undefined;
  const ids: string[] = [];
  let next = at;
  for (let goesOn = true; goesOn;) {
    const found = idAt(source, next);
    if (!found) return undefined;
    ids.push(...found.ids);
    [next, goesOn] = [found.next, found.goesOn];
  }
  const [from, { to }] = [tokens[at]!.from, tokens[next - 1]!];
  if (ids.length === 1 && !source.text.slice(from, to).includes('-')) return undefined;
  const pieces = ids.map((text): Piece => ({ text, quoted: false, from, to }));
  const token = { from, to, negated: false, key: entity.idKey, operator: ':', pieces, range: false, unclosed: false };
  return { spelled: { token: token as Token }, next };
}

/** The ids that one word is, or two words together; `goesOn` where a comma follows. */
function idAt(
  { entity, tokens }: Source,
  at: number,
): { readonly ids: readonly string[]; readonly next: number; readonly goesOn: boolean } | undefined {
  const first = bareWord(tokens[at]);
  if (first === undefined) return undefined;
  const second = bareWord(tokens[at + 1]);
  const written = [first, ...(second === undefined ? [] : [`${first} ${second}`])];
  for (const [index, text] of written.entries()) {
    const goesOn = text.endsWith(',');
    const parts = (goesOn ? text.slice(0, -1) : text).split(',').map((part) => part.replaceAll('-', ' '));
    if (parts.every((part) => entity.isId(part)))
      return { ids: parts.map((part) => entity.toId(part)), next: at + index + 1, goesOn };
  }
  return undefined;
}

/** `tag~North`, `tag=~North`: what other languages write for a text that a value contains. */
function likened({ text, entity, tokens }: Source, at: number): Step | undefined {
  const token = tokens[at]!;
  const [, name = '', value = ''] = /^([a-z][\w-]*)=?~=?([^\s"]+)$/i.exec(inText(text, token)) ?? [];
  const named = keyNamed(entity, name);
  if (!named) return undefined;
  const { key } = named;
  const looksUp = key?.kind === 'name' || key?.every !== undefined || key?.options !== undefined;
  const fix = `${name}:${looksUp ? `*${value}*` : value}`;
  const refused = { message: message('core:query.likened', { at: token.from + 1, fix }), fixes: [fix] };
  return { spelled: { token, refused }, next: at + 1 };
}

/** A term whose key, operator and value may stand apart, and whose time may be of several words. */
function termAt(source: Source, at: number): Step {
  const whole = spaced(source, at);
  const [token, next] = withValues(source, ...(whole ?? [source.tokens[at]!, at + 1]));
  const ordered = withOrder(token, source.tokens[next]);
  if (ordered) return { spelled: { token: ordered }, next: next + 1 };
  const declared = token.key === undefined ? undefined : keyNamed(source.entity, token.key);
  if (declared?.key?.kind !== 'time') return { spelled: { token }, next };
  const timed = withTime(token, source.tokens.slice(next));
  return { spelled: { token: timed.token }, next: next + timed.used };
}

/** `sort:last desc`: the direction as a word behind it. */
function withOrder(token: Token, follows: Token | undefined): Token | undefined {
  const [, order] = ORDER.exec(bareWord(follows) ?? '') ?? [];
  const last = token.pieces.at(-1);
  if (!follows || !order || !last || token.key?.toLowerCase() !== RESERVED.sort) return undefined;
  const descends = order.toLowerCase() === 'desc' && !last.text.startsWith('-');
  const text = descends ? `-${last.text}` : last.text;
  return { ...token, pieces: [...token.pieces.slice(0, -1), { ...last, text, to: follows.to }], to: follows.to };
}

/** `last > 2d`, `last >2d`, `last: 2d`: one term, where the first word is a key. */
function spaced(source: Source, at: number): readonly [token: Token, next: number] | undefined {
  const { text, tokens, entity } = source;
  const token = tokens[at]!;
  const [piece] = token.pieces;
  if (!piece || piece.quoted || piece.stars || token.pieces.length > 1) return undefined;
  if (token.key !== undefined) {
    const follows = tokens[at + 1];
    if (piece.text !== '' || !follows || follows.key !== undefined || !keyNamed(entity, token.key)) return undefined;
    // `-name` is what is sorted by; elsewhere it leaves out a word.
    const joins = JOINS.test(bareWord(follows) ?? '') || (follows.negated && token.key.toLowerCase() !== RESERVED.sort);
    if (joins) return undefined;
    return [{ ...token, ...readPieces(text, follows.from, token.operator) }, at + 2];
  }
  const follows = tokens[at + 1];
  if (!follows || follows.key !== undefined || !keyNamed(entity, piece.text)) return undefined;
  OPERATOR.lastIndex = follows.from;
  const written = OPERATOR.exec(text)?.[1];
  if (written === undefined) return undefined;
  const { negated: leavesOut, ...operator } = readOperator(written);
  const together = follows.from + written.length < follows.to;
  const value = together ? follows.from + written.length : (tokens[at + 2]?.from ?? follows.to);
  const keyed = { key: piece.text, ...operator, negated: token.negated !== leavesOut, from: token.from };
  return [{ ...keyed, ...readPieces(text, value, operator.operator) }, together || !tokens[at + 2] ? at + 2 : at + 3];
}

/** `health: error, warning` and `tag:a , b`: the values that a comma joins to those before it. */
function withValues(
  { text, tokens, entity }: Source,
  first: Token,
  after: number,
): readonly [token: Token, next: number] {
  let [token, next] = [first, after];
  const options = token.key === undefined ? undefined : keyNamed(entity, token.key)?.key?.options;
  for (let follows = tokens[next]; follows; follows = tokens[next]) {
    const goesOn = isEmpty(token.pieces.at(-1)) || text[follows.from] === ',';
    if (token.operator !== ':' || token.range || follows.key !== undefined || follows.negated || !goesOn) break;
    const { pieces, to, unclosed } = readPieces(text, follows.from, token.operator);
    // A word that is no value of the key is searched for.
    if (options && !pieces.every((piece) => isEmpty(piece) || matchOption(piece.text, options))) break;
    token = { ...token, pieces: [...token.pieces.filter((piece) => !isEmpty(piece)), ...pieces], to, unclosed };
    next = tokens.findIndex(({ from }) => from >= to);
    if (next < 0) next = tokens.length;
  }
  return [token, next];
}

function isEmpty(piece: Piece | undefined): boolean {
  return piece !== undefined && piece.text === '' && !piece.quoted;
}

/** Words after the first of the longest time: `1 week 2 days 3 hours 4 minutes 5 seconds ago`. */
const MORE_WORDS = 10;

/** Words that belong to the time before them: `2 days`, `2d ago`, `last month`, `2026-01-31 20:00`. */
function withTime(token: Token, following: readonly Token[]): { readonly token: Token; readonly used: number } {
  const last = token.pieces.at(-1);
  if (!last || last.quoted || last.stars) return { token, used: 0 };
  const complete = parseMoment(last.text) !== undefined;
  let found: { readonly piece: Piece; readonly used: number } | undefined;
  let text = last.text;
  for (const [index, next] of following.slice(0, MORE_WORDS).entries()) {
    const word = bareWord(next);
    if (word === undefined || (complete && index === 0 && !/^(?:ago|\d\d?:\d\d.*)$/i.test(word))) break;
    text = `${text} ${word}`;
    const moment = text.replace(/ ago$/i, '');
    if (parseMoment(moment) !== undefined) found = { piece: { ...last, text: moment, to: next.to }, used: index + 1 };
  }
  if (!found) return { token, used: 0 };
  const pieces = [...token.pieces.slice(0, -1), found.piece];
  return { token: { ...token, pieces, to: found.piece.to }, used: found.used };
}
