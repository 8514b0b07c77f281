import type { Context } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { FilterKey, Term, Test } from '#commands/model/filter.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { PERIOD_NAMES } from '#commands/model/time.ts';
import { message, type Message } from '#commands/text/message.ts';

import { compileFilter } from './compile.ts';
import { filterKeys, findKey, RESERVED } from './keys.ts';
import { quoteValue } from './quote.ts';
import { sortSuggestions } from './sorts.ts';
import { tokenize, type Token } from './tokens.ts';

/** A completion for the filter line. `value` is the text that replaces `from`..`to`, quoted if necessary. */
export interface Completion extends Suggestion {
  /** Explains a key, or gives the display text of a value. */
  readonly about?: Message;
}

export interface Completions {
  readonly from: number;
  readonly to: number;
  readonly suggestions: readonly Completion[];
}

/** The maximum number of suggestions. The list can't show this many without scrolling. */
const MAX_SUGGESTIONS = 50;

const AGES: readonly string[] = ['1h', '1d', '7d', '30d'];

/** Returns the completions at `cursor`: keys or, after a key, its values with their counts. */
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

function keySuggestions(entity: AnyEntity, typedKey: string, negated: boolean): readonly Completion[] {
  const isAllowed = (name: string): boolean => !negated || Boolean(entity.filter[name]?.negates);
  const names = filterKeys(entity).filter(isAllowed);
  return matchTyped(
    names.map((name) => ({
      value: `${name}:`,
      label: name,
      ...(Object.hasOwn(entity.filter, name) ? { about: entityLabels.filterKey(entity, name) } : {}),
    })),
    typedKey,
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
  const typedText = piece?.text ?? '';
  const otherValues = new Set(token.pieces.filter((item) => item !== piece).map((item) => item.text.toLowerCase()));
  const candidates = (await suggestValues(key.toLowerCase(), typedText, token, entity, context)).filter(
    (completion) => !otherValues.has(completion.value.toLowerCase()),
  );
  const suggestions = (await addCounts(candidates.slice(0, MAX_SUGGESTIONS), entity, token, context)).map(
    (completion) => ({
      ...completion,
      value: completion.value === '*' ? '*' : quoteValue(completion.value),
    }),
  );
  return { from: piece?.from ?? cursor, to: piece?.to ?? cursor, suggestions };
}

/** The maximum number of values to count. This many are visible without scrolling. */
const MAX_COUNTED_VALUES = 12;

/**
 * Adds match counts to the values that the key itself hasn't counted. The number is the total from a list request for a
 * single item. Removes values that the contract can't select.
 */
async function addCounts(
  candidates: readonly Completion[],
  entity: AnyEntity,
  token: Token,
  context: Context,
): Promise<readonly Completion[]> {
  const target = findKey(entity, token.key ?? '');
  const isCountable = target?.name === RESERVED.view || target?.key !== undefined;
  // A value in a range is only one end of the range, so it has no count.
  if (!target || !isCountable || token.range || (token.operator !== ':' && !target.key?.ranges)) return candidates;
  const counts = candidates.map(async (suggestion, index) => {
    if (suggestion.count !== undefined || index >= MAX_COUNTED_VALUES) return suggestion;
    const term = { key: target.name, negated: false, test: createTest(token, suggestion.value) };
    const count = await countMatches(entity, term, context);
    return count === null ? undefined : { ...suggestion, count };
  });
  return (await Promise.all(counts)).filter((suggestion) => suggestion !== undefined);
}

/** Returns the test for a value after the typed operator. */
function createTest({ operator }: Token, value: string): Test {
  if (operator === '>') return { above: value };
  if (operator === '<') return { below: value };
  return value === '*' ? { present: true } : { values: [value] };
}

function countMatches(entity: AnyEntity, term: Term, context: Context): Promise<number | null> {
  // The cache prevents repeated requests while the user types.
  return context.loadCached(`${entity.name}-${term.key}:count:${JSON.stringify(term.test)}`, async (sharedContext) => {
    try {
      const compiledFilter = await compileFilter(entity, { terms: [term], words: [], sort: [] }, sharedContext);
      return (await entity.list(sharedContext, compiledFilter, { page: 0, size: 1 })).total;
    } catch (error) {
      if (error instanceof CommandError) return null;
      throw error;
    }
  });
}

async function suggestValues(
  name: string,
  typedText: string,
  token: Token,
  entity: AnyEntity,
  context: Context,
): Promise<readonly Completion[]> {
  const filterKey = findKey(entity, name)?.key;
  if (filterKey) {
    const anyValue =
      filterKey.presence && token.pieces.length === 1 && token.operator === ':' && typedText === ''
        ? [createCompletion('*')]
        : [];
    const values = (await suggestDeclaredValues(filterKey, typedText, context)).map((completion) => {
      const about = completion.message ?? filterKey.label?.(completion.value);
      return about ? { ...completion, about } : completion;
    });
    return [...anyValue, ...values];
  }
  if (name === RESERVED.sort) {
    const ascending = { name: entity.name, sorts: entity.sorts.filter((sort) => !sort.startsWith('-')) };
    return matchTyped(
      sortSuggestions(ascending).map(({ value, message: title }) => ({
        ...createCompletion(value),
        ...(title ? { about: title } : {}),
      })),
      typedText,
    );
  }
  if (name === RESERVED.group) return matchTyped((entity.groups ?? []).map(createCompletion), typedText);
  if (name !== RESERVED.view) return [];
  return matchTyped(
    (entity.views ?? []).map(({ id }) => ({ ...createCompletion(id), about: entityLabels.view(entity, id) })),
    typedText,
  );
}

async function suggestDeclaredValues(
  key: FilterKey<unknown>,
  typedText: string,
  context: Context,
): Promise<readonly Completion[]> {
  if (key.suggest) return matchTyped(await key.suggest(context, typedText), typedText);
  if (key.options) return matchTyped(key.options.map(createCompletion), typedText);
  if (key.kind === 'flag') return matchTyped(['true', 'false'].map(createCompletion), typedText);
  if (key.kind === 'time') {
    const today = context.now().toISOString().slice(0, 10);
    // Shown times are in the user's time zone, but a date or a period in a filter means the same for everyone.
    const utcValues = [...PERIOD_NAMES, today, `${today}T12:00`].map((value) => ({
      ...createCompletion(value),
      about: message('core:query.utc'),
    }));
    return matchTyped([...[...AGES, 'now'].map(createCompletion), ...utcValues], typedText);
  }
  const entity = key.entity?.();
  if (!entity) return [];
  const items = await entity.search(context, typedText, MAX_SUGGESTIONS);
  return items.map((item) => createCompletion(entity.label(item)));
}

function createCompletion(value: string): Completion {
  return { value, label: value };
}

/**
 * Returns the completions that contain the typed text. Those that start with it come first. Otherwise, the order stays
 * the same.
 */
function matchTyped(completions: readonly Completion[], typedText: string): readonly Completion[] {
  const lower = typedText.toLowerCase();
  const startsWith = (completion: Completion): boolean => completion.label.toLowerCase().startsWith(lower);
  const contains = (completion: Completion): boolean =>
    completion.label.toLowerCase().includes(lower) || completion.value.toLowerCase().includes(lower);
  return [
    ...completions.filter(startsWith),
    ...completions.filter((completion) => !startsWith(completion) && contains(completion)),
  ].slice(0, MAX_SUGGESTIONS);
}
