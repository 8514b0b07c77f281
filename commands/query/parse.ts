import type { AnyEntity } from '../core/entity.ts';
import type { Filter, FilterKey, Term, Test } from '../core/filter.ts';
import { message, type Message } from '../core/message.ts';
import { canonicalFilter } from './print.ts';
import { tokenize, type Token } from './tokens.ts';
import { checkFilterValue, matchOption } from './values.ts';

/** What is wrong with a part of the text; positions are offsets into it, and the sentence names the place too (1-based). */
export interface Problem {
  readonly from: number;
  readonly to: number;
  readonly message: Message;
}

/** What a token of the text turned out to be. */
export interface ParsedToken {
  readonly token: Token;
  readonly part:
    | { readonly term: Term }
    | { readonly word: string }
    | { readonly sort: readonly string[] }
    | { readonly group: string }
    | { readonly problem: Problem };
}

export interface ParsedFilter {
  /** What could be understood, canonical; a wrong term is left out of it and named in `problems`. */
  readonly filter: Filter;
  readonly problems: readonly Problem[];
  /** In the order of the text; a bare `*`, which says nothing, is left out. */
  readonly tokens: readonly ParsedToken[];
}

/** Keys that every entity has; `group` and `view` only where the entity offers them. */
export const RESERVED = { sort: 'sort', group: 'group', view: 'view' } as const;

/** A refusal inside the parser; never leaves it. */
class Refused extends Error {
  readonly said: Message;
  constructor(said: Message) {
    super(said.key);
    this.said = said;
  }
}

/** Reads a filter of an entity. Never throws: what does not parse is said where it stands, and the rest stays. */
export function parseFilter(text: string, entity: AnyEntity): ParsedFilter {
  const tokens: ParsedToken[] = [];
  let group: string | undefined;
  for (const token of tokenize(text)) {
    let part = interpret(token, entity);
    if (part && 'group' in part) {
      if (group === undefined) group = part.group;
      else part = refuse(token, message('core:query.groupTwice', { at: token.from + 1 }));
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
    filter: canonicalFilter(filter),
    problems: parts.flatMap((part) => ('problem' in part ? [part.problem] : [])),
    tokens,
  };
}

function refuse({ from, to }: Token, said: Message): { problem: Problem } {
  return { problem: { from, to, message: said } };
}

function interpret(token: Token, entity: AnyEntity): ParsedToken['part'] | undefined {
  const at = token.from + 1;
  try {
    if (token.unclosed) throw new Refused(message('core:query.quote', { at }));
    return token.key === undefined ? wordOf(token, entity) : keyed(token, token.key, entity);
  } catch (error) {
    if (error instanceof Refused) return refuse(token, error.said);
    throw error;
  }
}

function wordOf(token: Token, entity: AnyEntity): { word: string } | undefined {
  const piece = token.pieces[0];
  const word = piece?.text ?? '';
  const at = token.from + 1;
  if (token.negated) throw new Refused(message('core:query.negatedWord', { word, at }));
  if (word === '*' && !piece?.quoted) return undefined;
  if (!entity.applySearch)
    throw new Refused(message('core:query.noSearch', { word, entity: entity.plural, at, keys: keysOf(entity) }));
  return { word };
}

/** The keys an entity's filter takes, as a sentence lists them. */
export function filterKeys(entity: AnyEntity): readonly string[] {
  return [
    ...Object.keys(entity.filter),
    ...(entity.sorts.length > 0 ? [RESERVED.sort] : []),
    ...(entity.groups?.length ? [RESERVED.group] : []),
    ...(entity.views?.length ? [RESERVED.view] : []),
  ];
}

function keysOf(entity: AnyEntity): string {
  return filterKeys(entity).join(', ');
}

function keyed(token: Token, typed: string, entity: AnyEntity): ParsedToken['part'] {
  const at = token.from + 1;
  const name = filterKeys(entity).find((key) => key.toLowerCase() === typed.toLowerCase());
  if (name === undefined) {
    throw new Refused(message('core:query.key', { key: typed, at, entity: entity.plural, keys: keysOf(entity) }));
  }
  if (token.pieces.every((piece) => piece.text === '' && !piece.quoted))
    throw new Refused(message('core:query.empty', { key: name, at }));
  if (Object.hasOwn(entity.filter, name))
    return { term: termOf(token, name, entity.filter[name] as FilterKey<unknown>) };
  if (token.negated || token.operator !== ':' || token.range)
    throw new Refused(message('core:query.form', { key: name, at }));
  const given = token.pieces.filter((piece) => piece.text !== '').map((piece) => piece.text);
  if (name === RESERVED.sort) return { sort: given.map((each) => sortOf(each, entity, at)) };
  const offered = name === RESERVED.group ? (entity.groups ?? []) : (entity.views ?? []).map((view) => view.id);
  const value = matchOption(given[0] ?? '', offered);
  if (value === undefined || given.length > 1) {
    throw new Refused(
      message('core:query.option', { key: name, value: given.join(', '), at, options: offered.join(', ') }),
    );
  }
  return name === RESERVED.group
    ? { group: value }
    : { term: { key: name, negated: false, test: { values: [value] } } };
}

function sortOf(text: string, entity: AnyEntity, at: number): string {
  const descending = text.startsWith('-') ? '-' : '';
  const name = matchOption(
    text.slice(descending.length),
    entity.sorts.filter((sort) => !sort.startsWith('-')),
  );
  if (name !== undefined) return `${descending}${name}`;
  throw new Refused(message('core:query.sort', { value: text, at, options: entity.sorts.join(', ') }));
}

function termOf(token: Token, key: string, declared: FilterKey<unknown>): Term {
  const at = token.from + 1;
  const test = testOf(token, key, declared);
  if (token.negated && !declared.negates) throw new Refused(message('core:query.negates', { key, at }));
  return { key, negated: token.negated, test };
}

function testOf(token: Token, key: string, declared: FilterKey<unknown>): Test {
  const at = token.from + 1;
  const check = (text: string): string => {
    const checked = checkFilterValue(key, declared, text, at);
    if ('problem' in checked) throw new Refused(checked.problem);
    return checked.value;
  };
  const [first, second] = token.pieces;
  if (token.operator !== ':' || token.range) {
    if (!declared.ranges) throw new Refused(message('core:query.ranges', { key, at }));
    if (token.pieces.length > 2 || (token.range && token.pieces.length !== 2))
      throw new Refused(message('core:query.form', { key, at }));
    const bound = (name: 'above' | 'below', text: string | undefined): Test => (text ? { [name]: check(text) } : {});
    if (!token.range) return bound(token.operator === '>' ? 'above' : 'below', first?.text);
    return { ...bound('above', first?.text), ...bound('below', second?.text) };
  }
  if (first?.text === '*' && !first.quoted && token.pieces.length === 1) {
    if (!declared.presence) throw new Refused(message('core:query.presence', { key, at }));
    return { present: true };
  }
  return {
    values: token.pieces.filter((piece) => piece.text !== '' || piece.quoted).map((piece) => check(piece.text)),
  };
}
