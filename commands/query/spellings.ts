import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { parseMoment } from '#commands/model/moment.ts';
import { message, type Message } from '#commands/text/message.ts';

import { findKey, findSort, RESERVED, SEARCH_KEYS } from './keys.ts';
import { OPERATOR_WORD, SORT_DIRECTION } from './quote.ts';
import { textOf, OPERATOR, readOperator, readPieces, tokenize, type Piece, type Token } from './tokens.ts';
import { checkFilterValue, matchOption } from './values.ts';

/**
 * A token in our filter language. `rejection` is set if the token stands for syntax from another language that has no
 * direct equivalent.
 */
export interface Spelling {
  readonly token: Token;
  readonly rejection?: { readonly message: Message; readonly fixes: readonly string[] };
}

/** The result of interpreting one or more tokens, and the index to continue at. */
interface Step {
  readonly spelling?: Spelling;
  readonly next: number;
}

/** The text being parsed. */
interface Source {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly entity: AnyEntity;
}

/**
 * Tokenizes text and interprets syntax from other query languages, such as `NOT a:b`, `a != b`, `a > 2 days`, and
 * `x AND y`. Rejects syntax without a direct equivalent, such as `a:b OR a:c` or parentheses, and suggests a fix.
 */
export function readSpellings(text: string, entity: AnyEntity): readonly Spelling[] {
  const source: Source = { text, tokens: tokenize(text), entity };
  const result: Spelling[] = [];
  for (let index = 0; index < source.tokens.length;) {
    const step = readStep(source, index, result.length > 0);
    if (step.spelling) result.push(step.spelling);
    index = step.next;
  }
  return result;
}

function readStep(source: Source, index: number, hasPrevious: boolean): Step {
  const rules = [rejectParentheses, rejectOr, skipAnd, applyNot, readOrder, rejectKeyless, readIds, rejectContains];
  for (const rule of rules) {
    const step = rule(source, index, hasPrevious);
    if (step) return step;
  }
  return readTerm(source, index);
}

const removeQuotedText = (text: string): string => text.replace(/"(?:\\.|[^"\\])*"?/g, '');

/** Returns the text of a token if it is a single unquoted word. */
function bareWord(token: Token | undefined): string | undefined {
  if (!token || token.key !== undefined || token.negated || token.pieces[0]?.isQuoted) return undefined;
  return token.pieces[0]?.text;
}

const matchesWord = (token: Token | undefined, pattern: RegExp): boolean => pattern.test(bareWord(token) ?? '');
const AND = /^(?:and|&&?)$/i;
const OR = /^(?:or|\|\|?)$/i;
const NOT = /^not$/i;

/** Rejects an opening parenthesis or an unmatched closing parenthesis, but allows names such as `pump(old)`. */
function rejectParentheses(source: Source, index: number): Step | undefined {
  const hasNot = matchesWord(source.tokens[index], NOT);
  const start = source.tokens[hasNot ? index + 1 : index];
  if (!start) return undefined;
  const raw = textOf(source.text, start);
  const opens = /^[-!]?\(/.test(raw);
  const depthOf = (token: Token): number => {
    const unquotedText = removeQuotedText(textOf(source.text, token));
    return (unquotedText.match(/\(/g)?.length ?? 0) - (unquotedText.match(/\)/g)?.length ?? 0);
  };
  if (!opens && !(removeQuotedText(raw).endsWith(')') && depthOf(start) < 0)) return undefined;
  let [last, depth] = [hasNot ? index + 1 : index, depthOf(start)];
  const end = opens ? source.tokens.length - 1 : last;
  while (depth > 0 && last < end) depth += depthOf(source.tokens[++last]!);
  if (depth > 0) last = hasNot ? index + 1 : index;
  const { to } = source.tokens[last]!;
  const groupText = textOf(source.text, { from: start.from, to });
  const innerText = groupText
    .replace(/^[-!]?\(+/, '')
    .replace(/\)+$/, '')
    .trim();
  const isNegated = hasNot || /^[-!]\(/.test(raw);
  const hasSeveralTerms = tokenize(innerText).length > 1;
  const token = { ...start, from: source.tokens[index]!.from, to };
  const values = { position: token.from + 1 };
  const key = isNegated ? 'core:query.negatedGroup' : 'core:query.parentheses';
  const canFix = innerText !== '' && !(isNegated && hasSeveralTerms);
  const rejection = { message: message(key, values), fixes: canFix ? [isNegated ? `-${innerText}` : innerText] : [] };
  return { spelling: { token, rejection }, next: last + 1 };
}

/** Rejects *or*. Suggests commas instead if it joins values of one key. */
function rejectOr(source: Source, index: number): Step | undefined {
  const { tokens } = source;
  const chain = [tokens[index]!];
  let next = index + 1;
  while (matchesWord(tokens[next], OR) && tokens[next + 1]) {
    chain.push(tokens[next + 1]!);
    next += 2;
  }
  if (chain.length === 1) return undefined;
  const [first] = chain;
  const token = { ...first!, from: first!.from, to: chain.at(-1)!.to };
  const key = first!.key?.toLowerCase();
  const haveSameKey = chain.every(
    (item) => item.key?.toLowerCase() === key && item.operator === ':' && !item.negated && !item.range,
  );
  const position = { position: tokens[index + 1]!.from + 1 };
  if (!haveSameKey)
    return { spelling: { token, rejection: { message: message('core:query.or', position), fixes: [] } }, next };
  const values = chain.map((item) => source.text.slice(item.pieces[0]!.from, item.to));
  const fix = `${first!.key}:${values.join(',')}`;
  return {
    spelling: { token, rejection: { message: message('core:query.orValues', { fix, ...position }), fixes: [fix] } },
    next,
  };
}

/** Skips *and* because terms are combined with *and* by default. */
function skipAnd({ tokens }: Source, index: number, hasPrevious: boolean): Step | undefined {
  return hasPrevious && tokens[index + 1] && matchesWord(tokens[index], AND) ? { next: index + 1 } : undefined;
}

function applyNot(source: Source, index: number): Step | undefined {
  const notToken = source.tokens[index]!;
  if (!matchesWord(notToken, NOT) || !source.tokens[index + 1]) return undefined;
  const { spelling, next } = readTerm(source, index + 1);
  if (!spelling) return undefined;
  return { spelling: { token: { ...spelling.token, from: notToken.from, negated: !spelling.token.negated } }, next };
}

/** Reads `order by last`, `sort by -last, name`, and `sort last desc` as `sort:`. */
function readOrder(source: Source, index: number): Step | undefined {
  const { text, tokens, entity } = source;
  const token = tokens[index]!;
  if (!/^(?:order|sort)(?:ed)?(?:[-_]?by)?$/i.test(bareWord(token) ?? '')) return undefined;
  const hasBy = /by$/i.test(bareWord(token) ?? '') || matchesWord(tokens[index + 1], /^by$/i);
  const first = tokens[matchesWord(tokens[index + 1], /^by$/i) ? index + 2 : index + 1];
  if (!first || first.key !== undefined) return undefined;
  const sort: Token = {
    from: token.from,
    negated: false,
    key: 'sort',
    operator: ':',
    ...readPieces(text, first.from, ':'),
  };
  const isSortTerm = sort.pieces.every((piece) => isEmpty(piece) || findSort(entity, piece.text) !== undefined);
  if (!hasBy && !isSortTerm) return undefined;
  if (entity.sorts.length === 0) {
    const rejection = { message: message('core:query.fixedOrder', { entity: entityLabels.many(entity) }), fixes: [] };
    return { spelling: { token: sort, rejection }, next: tokens.length };
  }
  const [sortToken, next] = addValues(source, sort, tokens.indexOf(first) + 1);
  const orderedToken = applyOrder(sortToken, tokens[next]);
  return orderedToken
    ? { spelling: { token: orderedToken }, next: next + 1 }
    : { spelling: { token: sortToken }, next };
}

/** Rejects `>2d` and `<= 2 days` because a comparison requires a key. */
function rejectKeyless(source: Source, index: number): Step | undefined {
  const { text, tokens, entity } = source;
  const token = tokens[index]!;
  const raw = textOf(text, token);
  if (token.key !== undefined || token.negated || !/^[<>]/.test(raw)) return undefined;
  if (/^[<>]=?$/.test(raw) && !tokens[index + 1]) return undefined;
  const remainingText = text.slice(token.from);
  const terms = Object.entries(entity.filter).flatMap(([name, key]) => {
    if (!key.ranges) return [];
    const keyedText = `${name}${remainingText}`;
    const term = readTerm({ text: keyedText, tokens: tokenize(keyedText), entity }, 0).spelling?.token;
    const isValid = term?.pieces.every((piece) => 'value' in checkFilterValue(name, key, piece.text, 1));
    return term && isValid ? [{ fix: textOf(keyedText, term), to: token.from + term.to - name.length }] : [];
  });
  const to = terms[0]?.to ?? token.to;
  const typed = { text: textOf(text, { from: token.from, to }) };
  const rejection =
    terms[0] === undefined
      ? { message: message('core:query.noComparableKeys', { ...typed, entity: entityLabels.many(entity) }), fixes: [] }
      : { message: message('core:query.keyless', { ...typed, fix: terms[0].fix }), fixes: terms.map(({ fix }) => fix) };
  const next = tokens.findIndex(({ from }) => from >= to);
  return { spelling: { token: { ...token, to }, rejection }, next: next < 0 ? tokens.length : next };
}

/**
 * Reads ids as items instead of words if they are in a list or in the format of another system, such as
 * `A381 1C9D, 6D5B EFEF` and `A381-1C9D`.
 */
function readIds(source: Source, index: number): Step | undefined {
  const { entity, tokens } = source;
  if (entity.idKey === undefined) return undefined;
  const ids: string[] = [];
  let next = index;
  let continues: boolean;
  do {
    const group = readIdGroup(source, next);
    if (!group) return undefined;
    ids.push(...group.ids);
    [next, continues] = [group.next, group.continues];
  } while (continues);
  const [from, { to }] = [tokens[index]!.from, tokens[next - 1]!];
  // A single id without `#` or `-` is more likely a search word, and the search also finds the item.
  if (ids.length === 1 && !/^#|-/.test(source.text.slice(from, to))) return undefined;
  const pieces = ids.map((text): Piece => ({ text, isQuoted: false, from, to }));
  const token = { from, to, negated: false, key: entity.idKey, operator: ':', pieces, range: false, isUnclosed: false };
  return { spelling: { token: token as Token }, next };
}

/** Returns the ids in one word or in two adjacent words. `continues` is true if a comma follows. */
function readIdGroup(
  { entity, tokens }: Source,
  index: number,
): { readonly ids: readonly string[]; readonly next: number; readonly continues: boolean } | undefined {
  const first = bareWord(tokens[index]);
  if (first === undefined) return undefined;
  const second = bareWord(tokens[index + 1]);
  const candidates = [first, ...(second === undefined ? [] : [`${first} ${second}`])];
  for (const [wordIndex, text] of candidates.entries()) {
    const continues = text.endsWith(',');
    const parts = (continues ? text.slice(0, -1) : text).split(',').map((part) => part.replaceAll('-', ' '));
    if (parts.every((part) => entity.isId(part)))
      return { ids: parts.map((part) => entity.toId(part)), next: index + wordIndex + 1, continues };
  }
  return undefined;
}

/** Rejects `tag~North` and `tag =~ North`, which mean "contains" in other languages. */
function rejectContains(source: Source, index: number): Step | undefined {
  const { entity } = source;
  const { name, value, token, next } = findContains(source, index) ?? {};
  if (name === undefined || value === undefined || !token || next === undefined) return undefined;
  const target = findKey(entity, name);
  if (!target) {
    if (!SEARCH_KEYS.has(name.toLowerCase())) return undefined;
    // The parser suggests a search, as it does for `name:pump`.
    const pieces = [{ text: value, isQuoted: false, from: token.from, to: token.to }];
    return { spelling: { token: { ...token, key: name, operator: ':', pieces } }, next };
  }
  const { key } = target;
  const hasKnownValues = key?.allValues !== undefined || key?.options !== undefined;
  const fix = `${name}:${hasKnownValues ? `*${value}*` : value}`;
  const rejection = { message: message('core:query.contains', { position: token.from + 1, fix }), fixes: [fix] };
  return { spelling: { token, rejection }, next };
}

/** Finds the name and value around `~`, across up to three words. */
function findContains({ text, tokens }: Source, index: number) {
  const first = tokens[index]!;
  for (const last of tokens.slice(index, index + 3)) {
    const token = { ...first, to: last.to };
    const [, name, value] = /^([a-z][\w-]*)\s*=?~=?\s*([^\s"]+)$/i.exec(textOf(text, token)) ?? [];
    if (name !== undefined && value !== undefined) return { name, value, token, next: tokens.indexOf(last) + 1 };
  }
  return undefined;
}

/** Reads a term, which can have spaces around its operator and several words in its value. */
function readTerm(source: Source, index: number): Step {
  const joinedTerm = joinSpaced(source, index);
  const [token, next] = addValues(source, ...(joinedTerm ?? [source.tokens[index]!, index + 1]));
  const orderedToken = applyOrder(token, source.tokens[next]);
  if (orderedToken) return { spelling: { token: orderedToken }, next: next + 1 };
  const target = token.key === undefined ? undefined : findKey(source.entity, token.key);
  const nextTokens = source.tokens.slice(next);
  const completion =
    target?.key?.kind === 'time'
      ? completeTime(token, nextTokens)
      : completeOption(token, target?.key?.options ?? [], nextTokens);
  return { spelling: { token: completion.token }, next: next + completion.used };
}

/** Applies a direction that is a separate word, as in `sort:last desc`. */
function applyOrder(token: Token, nextToken: Token | undefined): Token | undefined {
  const [, order] = SORT_DIRECTION.exec(bareWord(nextToken) ?? '') ?? [];
  const last = token.pieces.at(-1);
  if (!nextToken || !order || !last || token.key?.toLowerCase() !== RESERVED.sort) return undefined;
  const isDescending = order.toLowerCase() === 'desc' && !last.text.startsWith('-');
  const text = isDescending ? `-${last.text}` : last.text;
  return {
    ...token,
    pieces: [...token.pieces.slice(0, -1), { ...last, text, to: nextToken.to }],
    to: nextToken.to,
  };
}

/** Joins `last > 2d`, `last >2d`, and `last: 2d` into one term, if the first word is a key. */
function joinSpaced(source: Source, index: number): readonly [token: Token, next: number] | undefined {
  const { text, tokens, entity } = source;
  const token = tokens[index]!;
  const [piece] = token.pieces;
  if (!piece || piece.isQuoted || piece.stars || token.pieces.length > 1) return undefined;
  if (token.key !== undefined) {
    const nextToken = tokens[index + 1];
    if (piece.text !== '' || !nextToken || nextToken.key !== undefined || !findKey(entity, token.key)) return undefined;
    // `-name` is a value after `sort` but excludes a word elsewhere.
    const isOperator =
      OPERATOR_WORD.test(bareWord(nextToken) ?? '') || (nextToken.negated && token.key.toLowerCase() !== RESERVED.sort);
    if (isOperator) return undefined;
    return [{ ...token, ...readPieces(text, nextToken.from, token.operator) }, index + 2];
  }
  const nextToken = tokens[index + 1];
  if (!nextToken || nextToken.key !== undefined || !findKey(entity, piece.text)) return undefined;
  OPERATOR.lastIndex = nextToken.from;
  const symbol = OPERATOR.exec(text)?.[1];
  if (symbol === undefined) return undefined;
  const { negated, ...operator } = readOperator(symbol);
  const isAttached = nextToken.from + symbol.length < nextToken.to;
  const value = isAttached ? nextToken.from + symbol.length : (tokens[index + 2]?.from ?? nextToken.to);
  const head = { key: piece.text, ...operator, negated: token.negated !== negated, from: token.from };
  const next = isAttached || !tokens[index + 2] ? index + 2 : index + 3;
  return [{ ...head, ...readPieces(text, value, operator.operator) }, next];
}

/** Appends values that follow a comma, as in `health: error, warning` and `tag:a , b`. */
function addValues(
  { text, tokens, entity }: Source,
  firstToken: Token,
  start: number,
): readonly [token: Token, next: number] {
  let [token, next] = [firstToken, start];
  const options = token.key === undefined ? undefined : findKey(entity, token.key)?.key?.options;
  for (let nextToken = tokens[next]; nextToken; nextToken = tokens[next]) {
    const continues = isEmpty(token.pieces.at(-1)) || text[nextToken.from] === ',';
    if (token.operator !== ':' || token.range || nextToken.key !== undefined || nextToken.negated || !continues) break;
    const { pieces, to, isUnclosed } = readPieces(text, nextToken.from, token.operator);
    // Anything that isn't a value of this key is a search term.
    if (options && !pieces.every((piece) => isEmpty(piece) || matchOption(piece.text, options))) break;
    token = { ...token, pieces: [...token.pieces.filter((piece) => !isEmpty(piece)), ...pieces], to, isUnclosed };
    next = tokens.findIndex(({ from }) => from >= to);
    if (next < 0) next = tokens.length;
  }
  return [token, next];
}

function isEmpty(piece: Piece | undefined): boolean {
  return piece !== undefined && piece.text === '' && !piece.isQuoted;
}

/** The maximum number of words after the first in a time: `1 week 2 days 3 hours 4 minutes 5 seconds ago`. */
const MAX_ADDED_WORDS = 10;

/** A term, and the number of following words in its value. */
interface CompletedTerm {
  readonly token: Token;
  readonly used: number;
}

/** Adds the words that complete an option name, as in `lifecycle:ready to install`. */
function completeOption(token: Token, options: readonly string[], nextTokens: readonly Token[]): CompletedTerm {
  const last = token.pieces.at(-1);
  if (!last || last.isQuoted || last.stars || matchOption(last.text, options) !== undefined) return { token, used: 0 };
  let text = last.text;
  for (const [index, next] of nextTokens.slice(0, MAX_ADDED_WORDS).entries()) {
    const word = bareWord(next);
    if (word === undefined) break;
    text = `${text} ${word}`;
    if (matchOption(text, options) === undefined) continue;
    const pieces = [...token.pieces.slice(0, -1), { ...last, text, to: next.to }];
    return { token: { ...token, pieces, to: next.to }, used: index + 1 };
  }
  return { token, used: 0 };
}

/** Adds the words that complete a time, such as `2 days`, `2d ago`, `last month`, or `2026-01-31 20:00`. */
function completeTime(token: Token, nextTokens: readonly Token[]): CompletedTerm {
  const last = token.pieces.at(-1);
  if (!last || last.isQuoted || last.stars) return { token, used: 0 };
  const complete = parseMoment(last.text) !== undefined;
  let time: { readonly piece: Piece; readonly used: number } | undefined;
  let text = last.text;
  for (const [index, next] of nextTokens.slice(0, MAX_ADDED_WORDS).entries()) {
    const word = bareWord(next);
    if (word === undefined || (complete && index === 0 && !/^(?:ago|\d\d?:\d\d.*)$/i.test(word))) break;
    text = `${text} ${word}`;
    const moment = text.replace(/ ago$/i, '');
    if (parseMoment(moment) !== undefined) time = { piece: { ...last, text: moment, to: next.to }, used: index + 1 };
  }
  if (!time) return { token, used: 0 };
  const pieces = [...token.pieces.slice(0, -1), time.piece];
  return { token: { ...token, pieces, to: time.piece.to }, used: time.used };
}
