import { entityLabels, type AnyEntity, type StateFilter } from '#commands/model/entity.ts';
import type { Filter, FilterKey, Term } from '#commands/model/filter.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';
import { listNearest, nearestNames } from '#commands/text/near.ts';

import { filterKeys, findKey, RESERVED, SEARCH_KEYS, findSort } from './keys.ts';
import { canonicalFilter } from './print.ts';
import { applyFixes, createProblem, ParseError, type Problem } from './problem.ts';
import { quoteValue, quoteWord, findStateWord } from './quote.ts';
import { readSpellings, type Spelling } from './spellings.ts';
import { createTerm } from './terms.ts';
import { textOf, type Token } from './tokens.ts';
import { matchOption } from './values.ts';

export type { Problem } from './problem.ts';

/** A token with its meaning. */
export interface ParsedToken {
  readonly token: Token;
  readonly part:
    | { readonly term: Term }
    | { readonly word: string }
    | { readonly sort: readonly string[] }
    | { readonly group: string }
    | { readonly problem: Problem };
}

/** A filter for an entity, as typed and as parsed. Lists, chips, and sorts are based on it. */
export interface ParsedFilter {
  readonly entity: AnyEntity;
  readonly text: string;
  /** The valid part, in canonical form. Invalid terms are omitted and reported in `problems`. */
  readonly filter: Filter;
  readonly problems: readonly Problem[];
  /** The tokens in the order of the text. A bare `*` has no effect and is omitted. */
  readonly tokens: readonly ParsedToken[];
}

/**
 * Parses a filter for an entity. Never throws, but reports each problem with its position and keeps the valid parts.
 */
export function parseFilter(text: string, entity: AnyEntity): ParsedFilter {
  return parseAtDepth(text, entity, 0);
}

/** Parses a filter. `depth` counts nested fixes, because fixes are parsed too and can have fixes themselves. */
function parseAtDepth(text: string, entity: AnyEntity, depth: number): ParsedFilter {
  const tokens: ParsedToken[] = [];
  let group: string | undefined;
  let searchLength = 0;
  for (const spelling of readSpellings(text, entity)) {
    const { token } = spelling;
    let part = interpret(spelling, text, entity, depth);
    if (part && 'group' in part) {
      if (group === undefined) group = part.group;
      else part = { problem: createProblem(token, message('core:query.groupTwice', { position: token.from + 1 })) };
    }
    if (part && 'word' in part) {
      searchLength += part.word.length + Number(searchLength > 0);
      if (searchLength > MAX_LENGTH.search)
        part = { problem: createProblem(token, message('core:query.tooLong', { max: MAX_LENGTH.search })) };
    }
    if (part) tokens.push({ token, part });
  }
  const parts = tokens.map(({ part }) => part);
  const filter: Filter = {
    terms: parts.flatMap((part) => ('term' in part ? [part.term] : [])),
    words: parts.flatMap((part) => ('word' in part ? [part.word] : [])),
    sort: parts.flatMap((part) => ('sort' in part ? part.sort : [])),
    ...(group === undefined ? {} : { group }),
  };
  return {
    entity,
    text,
    filter: canonicalFilter(filter),
    problems: parts.flatMap((part) => ('problem' in part ? [part.problem] : [])),
    tokens,
  };
}

/**
 * True if text can only be a filter: it has a key, a `*`, or syntax from another filter language. Any other text
 * consists of search words.
 */
export function isFilter(text: string, entity: AnyEntity): boolean {
  // Parentheses around words don't group them, because a name can end in `(old)`.
  const isPlainText = !/[:<>=]/.test(text);
  return readSpellings(text, entity).some(({ token: { key, negated, isUnclosed, pieces }, rejection }) => {
    const isRejected = rejection !== undefined && !(isPlainText && rejection.message.key === 'core:query.parentheses');
    return isRejected || key !== undefined || negated || isUnclosed || pieces.some(({ stars }) => stars);
  });
}

/** The maximum number of problems that one suggestion can repair. */
const MAX_DEPTH = 4;

/**
 * Returns only the fixes that result in a valid filter. Repairs a fix that has another problem, or omits it.
 */
function validFixes(fixes: readonly string[], entity: AnyEntity, depth: number): readonly string[] {
  const repaired = fixes.flatMap((fix) => {
    let text = fix;
    for (let round = depth; round < MAX_DEPTH; round++) {
      const [problem] = parseAtDepth(text, entity, round + 1).problems;
      if (!problem) return [text];
      const [next] = applyFixes(text, problem);
      if (next === undefined) return [];
      text = next;
    }
    return [];
  });
  return [...new Set(repaired)];
}

function interpret(
  { token, rejection }: Spelling,
  text: string,
  entity: AnyEntity,
  depth: number,
): ParsedToken['part'] | undefined {
  const position = token.from + 1;
  try {
    if (rejection) throw new ParseError(rejection.message, rejection.fixes);
    if (token.isUnclosed) throw new ParseError(message('core:query.quote', { position }), [`${textOf(text, token)}"`]);
    return token.key === undefined ? wordOf(token, entity) : keyedPart(token, token.key, text, entity);
  } catch (error) {
    if (error instanceof ParseError)
      return { problem: createProblem(token, error.userMessage, validFixes(error.fixes, entity, depth)) };
    throw error;
  }
}

function wordOf(token: Token, entity: AnyEntity): { word: string } | undefined {
  const piece = token.pieces[0];
  const word = piece?.text ?? '';
  const position = token.from + 1;
  if (token.negated) throw new ParseError(message('core:query.negatedWord', { word, position }));
  if (/^\*+$/.test(word) && !piece?.isQuoted) return undefined;
  const state = piece?.isQuoted ? undefined : findStateWord(word);
  if (state && entity.states?.[state]) throw stateError(state, entity.states[state]);
  if (!entity.applySearch)
    throw new ParseError(
      message('core:query.noSearch', { word, entity: entityLabels.many(entity), position, keys: keysOf(entity) }),
    );
  if (piece?.stars) {
    const parts = piece.stars.filter((part) => part !== '').map(quoteWord);
    throw new ParseError(message('core:query.starWord', { word, position }), [parts.join(' ')]);
  }
  return { word };
}

function stateError(word: string, state: StateFilter): ParseError {
  return 'message' in state
    ? new ParseError(state.message)
    : new ParseError(message('core:query.state', { word, filter: state.filter }), [state.filter, quoteWord(word)]);
}

function keysOf(entity: AnyEntity): string {
  return filterKeys(entity).join(', ');
}

function keyedPart(token: Token, typedKey: string, text: string, entity: AnyEntity): ParsedToken['part'] {
  const position = token.from + 1;
  const match = findKey(entity, typedKey);
  if (!match) throw unknownKey(token, typedKey, text, entity);
  const { name, key } = match;
  if (token.pieces.every((piece) => piece.text === '' && !piece.isQuoted))
    throw new ParseError(message('core:query.empty', { key: name, position }));
  if (key) return { term: createTerm({ token, text, name, key, hasSearch: entity.applySearch !== undefined }) };
  const values = token.pieces.filter((piece) => piece.text !== '').map((piece) => piece.text);
  const isEqualityTerm = token.operator === ':' && !token.range;
  if (name === RESERVED.sort && token.negated && isEqualityTerm) {
    // Each sort has its own direction, so the `-` goes before each sort.
    const fix = `${name}:${values.map((sort) => (sort.startsWith('-') ? sort.slice(1) : `-${sort}`)).join(',')}`;
    throw new ParseError(message('core:query.sortNegated', { fix, position }), [fix]);
  }
  if (token.negated || !isEqualityTerm) throw new ParseError(message('core:query.form', { key: name, position }));
  if (name === RESERVED.sort) return { sort: values.map((sort) => parseSort(sort, token, text, entity)) };
  const options = name === RESERVED.group ? (entity.groups ?? []) : (entity.views ?? []).map((view) => view.id);
  const value = matchOption(values[0] ?? '', options);
  if (value === undefined || values.length > 1) {
    throw new ParseError(
      message('core:query.option', { key: name, value: values.join(', '), position, options: options.join(', ') }),
      nearestNames(values[0] ?? '', options).map((option) => `${name}:${quoteValue(option)}`),
    );
  }
  return name === RESERVED.group
    ? { group: value }
    : { term: { key: name, negated: false, test: { values: [value] } } };
}

/** True if the key supports the operator of the term. */
function acceptsForm({ operator, range }: Token, key: FilterKey<unknown> | undefined): boolean {
  return key?.ranges === true || (operator === ':' && !range);
}

/** Returns the keys that accept all values of the term, such as `health` for `status:error`. */
function keysWithValues(token: Token, entity: AnyEntity): readonly string[] {
  const values = token.pieces.map((piece) => piece.text);
  return Object.entries(entity.filter).flatMap(([name, key]) => {
    const options = key.options ?? key.knownValues ?? [];
    const hasValues = values.every((value) => matchOption(value, options) !== undefined);
    return hasValues && acceptsForm(token, key) ? [name] : [];
  });
}

/** Keys that other query languages use to find items with any value for a key, as in `has:tag`. */
const PRESENCE_KEYS: ReadonlySet<string> = new Set(['has', 'with', 'any']);
/** Keys that other query languages use to find items without a value for a key, as in `no:gateway`. */
const ABSENCE_KEYS: ReadonlySet<string> = new Set(['no', 'without', 'missing', 'lacks']);

/**
 * Suggests how to write `is:expired`, `status:disabled`, `has:tag`, and `no:gateway`, or explains why that is not
 * possible.
 */
function stateOf({ negated, operator, range, pieces }: Token, typedKey: string, entity: AnyEntity) {
  const [piece, ...others] = pieces;
  if (!piece || others.length > 0 || operator !== ':' || range) return undefined;
  const target = findKey(entity, piece.text) ?? findKey(entity, piece.text.replace(/s$/i, ''));
  const lower = typedKey.toLowerCase();
  const sign = ABSENCE_KEYS.has(lower) === negated ? '' : '-';
  if (target?.key?.presence && (PRESENCE_KEYS.has(lower) || ABSENCE_KEYS.has(lower)))
    return { filter: `${sign}${target.name}:*` };
  if (target?.key?.kind === 'flag') return { filter: `${target.name}:${!negated}` };
  const word = findStateWord(piece.text);
  const state = word && entity.states?.[word];
  return state && ('message' in state || !negated) ? state : undefined;
}

function unknownKey(token: Token, typedKey: string, text: string, entity: AnyEntity): ParseError {
  const raw = textOf(text, token);
  const state = stateOf(token, typedKey, entity);
  if (state && 'message' in state) return new ParseError(state.message);
  if (state)
    return new ParseError(message('core:query.keyNear', { key: typedKey, near: state.filter, at: token.from + 1 }), [
      state.filter,
    ]);
  const value = raw.slice(raw.indexOf(typedKey) + typedKey.length).replace(/^[!:=<>]+/, '');
  const aliases = Object.values(entity.filter).flatMap((key) => key.aliases ?? []);
  const similarKeys = nearestNames(typedKey, [...filterKeys(entity), ...aliases])
    .map((name) => findKey(entity, name)?.name ?? name)
    .filter((name, index, names) => names.indexOf(name) === index && acceptsForm(token, entity.filter[name]));
  const nearMatches = similarKeys.length > 0 ? similarKeys : keysWithValues(token, entity);
  const values = { key: typedKey, position: token.from + 1, entity: entityLabels.many(entity), keys: keysOf(entity) };
  const isColumn = entity.columns.some(({ id }) => id.toLowerCase() === typedKey.toLowerCase());
  const isSearchKey = SEARCH_KEYS.has(typedKey.toLowerCase()) && token.operator === ':';
  const word = token.pieces.length === 1 && !token.negated ? token.pieces[0]?.text : undefined;
  if (entity.applySearch && word && isSearchKey && nearMatches[0] === undefined)
    return new ParseError(message('core:query.keySearched', values), [quoteWord(word)]);
  const corrections = nearMatches.map((name) => raw.replace(typedKey, name));
  return nearMatches.length > 0
    ? new ParseError(message('core:query.keyNear', { ...values, near: nearMatches.join(', ') }), corrections)
    : new ParseError(
        message(isColumn ? 'core:query.keyColumn' : 'core:query.key', values),
        entity.applySearch && !isColumn && value !== '' ? [quoteWord(raw)] : [],
      );
}

function parseSort(typedSort: string, token: Token, text: string, entity: AnyEntity): string {
  const name = findSort(entity, typedSort);
  if (name !== undefined) return name;
  const descending = typedSort.startsWith('-') ? '-' : '';
  const unsigned = typedSort.slice(descending.length);
  const names = entity.sorts.filter((sort) => !sort.startsWith('-'));
  const raw = textOf(text, token);
  const nearMatches = nearestNames(unsigned, [...names, ...Object.keys(entity.sortAliases ?? {})]);
  throw new ParseError(
    message('core:query.sort', {
      value: typedSort,
      position: token.from + 1,
      options: listNearest(unsigned, entity.sorts),
    }),
    nearMatches.map((value) => raw.replace(typedSort, `${descending}${value}`)),
  );
}
