import type { Context } from '#commands/model/context.ts';
import { entityTexts, type AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { FilterKey, Term, Test } from '#commands/model/filter.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import type { Message } from '#commands/text/message.ts';
import { sortSuggestions } from './sorts.ts';
import { PERIOD_NAMES } from '#commands/model/time.ts';
import { compileFilter } from './compile.ts';
import { filterKeys, keyNamed, RESERVED } from './keys.ts';
import { quoteValue, tokenize, type Token } from './tokens.ts';

/** A suggestion of the filter line; `value` is the text that replaces `from`..`to`, quoted where it must be. */
export interface Completion extends Suggestion {
  /** What a key is about, or how a value reads elsewhere, in the reader's language. */
  readonly about?: Message;
}

export interface Completions {
  readonly from: number;
  readonly to: number;
  readonly suggestions: readonly Completion[];
}

/** More than a list under the cursor can show. */
const LIMIT = 50;

const AGES: readonly string[] = ['1h', '1d', '7d', '30d'];

/** What could be typed at `cursor`: keys first, after a key its values (with counts where the entity knows them). */
export async function complete(
  text: string,
  cursor: number,
  entity: AnyEntity,
  context: Context,
): Promise<Completions> {
  const token = tokenize(text).find((item) => item.from < cursor && cursor <= item.to);
  if (!token) return { from: cursor, to: cursor, suggestions: keySuggestions(entity, '', false) };
  const valueFrom = token.pieces[0]?.from ?? token.from;
  if (token.key === undefined || cursor < valueFrom) {
    const from = token.from + Number(token.negated);
    const to = token.key === undefined ? token.to : valueFrom;
    return {
      from,
      to,
      suggestions: keySuggestions(entity, text.slice(from, cursor).replace(/[:<>]$/, ''), token.negated),
    };
  }
  return completeValue(token, token.key, cursor, entity, context);
}

function keySuggestions(entity: AnyEntity, typed: string, negated: boolean): readonly Completion[] {
  const fits = (name: string): boolean => !negated || Boolean(entity.filter[name]?.negates);
  const names = filterKeys(entity).filter(fits);
  return nearest(
    names.map((name) => ({
      value: `${name}:`,
      label: name,
      ...(Object.hasOwn(entity.filter, name) ? { about: entityTexts.filterKey(entity, name) } : {}),
    })),
    typed,
  );
}

async function completeValue(
  token: Token,
  key: string,
  cursor: number,
  entity: AnyEntity,
  context: Context,
): Promise<Completions> {
  const piece = token.pieces.find((item) => item.from <= cursor && cursor <= item.to);
  const typed = piece?.text ?? '';
  const given = new Set(token.pieces.filter((item) => item !== piece).map((item) => item.text.toLowerCase()));
  const found = (await valuesOf(key.toLowerCase(), typed, token, entity, context)).filter(
    (completion) => !given.has(completion.value.toLowerCase()),
  );
  const suggestions = (await counted(found.slice(0, LIMIT), entity, token, context)).map((completion) => ({
    ...completion,
    value: completion.value === '*' ? '*' : quoteValue(completion.value),
  }));
  return { from: piece?.from ?? cursor, to: piece?.to ?? cursor, suggestions };
}

/** Values counted at a time: as many as are seen without scrolling. */
const COUNTED = 12;

/**
 * The values with how many items each selects, as far as the key did not count them itself: the total of a list of
 * which one item is asked for. A value that the contract cannot select is not offered.
 */
async function counted(
  found: readonly Completion[],
  entity: AnyEntity,
  token: Token,
  context: Context,
): Promise<readonly Completion[]> {
  const named = keyNamed(entity, token.key ?? '');
  const selects = named?.name === RESERVED.view || named?.key !== undefined;
  // Of a range, neither end says what the other will be.
  if (!named || !selects || token.range || (token.operator !== ':' && !named.key?.ranges)) return found;
  const each = found.map(async (suggestion, index) => {
    if (suggestion.count !== undefined || index >= COUNTED) return suggestion;
    const term = { key: named.name, negated: false, test: testOf(token, suggestion.value) };
    const count = await countOf(entity, term, context);
    return count === null ? undefined : { ...suggestion, count };
  });
  return (await Promise.all(each)).filter((suggestion) => suggestion !== undefined);
}

/** What a value is asked for as, behind what was typed before it. */
function testOf({ operator }: Token, value: string): Test {
  if (operator === '>') return { above: value };
  if (operator === '<') return { below: value };
  return value === '*' ? { present: true } : { values: [value] };
}

function countOf(entity: AnyEntity, term: Term, context: Context): Promise<number | null> {
  // Kept for a while, so that typing on does not ask again.
  return context.cached(`${entity.name}-${term.key}:count:${JSON.stringify(term.test)}`, async (shared) => {
    try {
      const compiled = await compileFilter(entity, { terms: [term], words: [], sort: [] }, shared);
      return (await entity.list(shared, compiled, { page: 0, size: 1 })).total;
    } catch (error) {
      if (error instanceof CommandError) return null;
      throw error;
    }
  });
}

async function valuesOf(
  name: string,
  typed: string,
  token: Token,
  entity: AnyEntity,
  context: Context,
): Promise<readonly Completion[]> {
  const declared = keyNamed(entity, name)?.key;
  if (declared) {
    const any =
      declared.presence && token.pieces.length === 1 && token.operator === ':' && typed === '' ? [plain('*')] : [];
    const values = (await declaredValues(declared, typed, context)).map((completion) => {
      const about = completion.message ?? declared.label?.(completion.value);
      return about ? { ...completion, about } : completion;
    });
    return [...any, ...values];
  }
  if (name === RESERVED.sort) {
    const of = { name: entity.name, sorts: entity.sorts.filter((sort) => !sort.startsWith('-')) };
    return nearest(
      sortSuggestions(of).map(({ value, message: text }) => ({ ...plain(value), ...(text ? { about: text } : {}) })),
      typed,
    );
  }
  if (name === RESERVED.group) return nearest((entity.groups ?? []).map(plain), typed);
  if (name !== RESERVED.view) return [];
  return nearest(
    (entity.views ?? []).map(({ id }) => ({ ...plain(id), about: entityTexts.view(entity, id) })),
    typed,
  );
}

async function declaredValues(
  key: FilterKey<unknown>,
  typed: string,
  context: Context,
): Promise<readonly Completion[]> {
  if (key.suggest) return nearest(await key.suggest(context, typed), typed);
  if (key.options) return nearest(key.options.map(plain), typed);
  if (key.kind === 'flag') return nearest(['true', 'false'].map(plain), typed);
  if (key.kind === 'time') return nearest([...AGES, 'now', ...PERIOD_NAMES].map(plain), typed);
  const named = key.entity?.();
  if (!named) return [];
  const items = await named.search(context, typed, LIMIT);
  return items.map((item) => plain(named.label(item)));
}

function plain(value: string): Completion {
  return { value, label: value };
}

/** Those that contain what was typed, in their order, the ones that start with it first. */
function nearest(all: readonly Completion[], typed: string): readonly Completion[] {
  const wanted = typed.toLowerCase();
  const starts = (completion: Completion): boolean => completion.label.toLowerCase().startsWith(wanted);
  const holds = (completion: Completion): boolean =>
    completion.label.toLowerCase().includes(wanted) || completion.value.toLowerCase().includes(wanted);
  return [...all.filter(starts), ...all.filter((completion) => !starts(completion) && holds(completion))].slice(
    0,
    LIMIT,
  );
}
