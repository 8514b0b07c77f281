import type { FilterKey, Pattern, Term, Test } from '#commands/model/filter.ts';
import { isAge, isDay, nextDay } from '#commands/model/moment.ts';
import { message } from '#commands/text/message.ts';
import { nearestNames } from '#commands/text/near.ts';

import { isEverything, looseName, matchesPattern, createPattern } from './patterns.ts';
import { ParseError } from './problem.ts';
import { quoteValue, quoteWord } from './quote.ts';
import type { Piece, Token } from './tokens.ts';
import { checkFilterValue } from './values.ts';

/** A typed term and its key. */
interface TypedTerm {
  readonly token: Token;
  readonly text: string;
  readonly name: string;
  readonly key: FilterKey<unknown>;
  /** True if the entity has a text search. */
  readonly hasSearch: boolean;
}

/**
 * Converts a typed term to a canonical term.
 *
 * @throws ParseError, with suggestions
 */
export function createTerm(typed: TypedTerm): Term {
  const { token, name, key } = typed;
  const test = createTest(typed);
  if (token.negated && !key.negates)
    throw new ParseError(
      message('core:query.negates', { key: name, position: token.from + 1 }),
      oppositeFix(name, test),
    );
  return { key: name, negated: token.negated, test };
}

/** Suggests the opposite comparison, because "not more than two days ago" means "within the last two days". */
function oppositeFix(name: string, test: Test): readonly string[] {
  if (!('above' in test || 'below' in test)) return [];
  const { above, below } = test;
  if (above !== undefined && below === undefined) return [`${name}<${quoteValue(above)}`];
  return below !== undefined && above === undefined ? [`${name}>${quoteValue(below)}`] : [];
}

function createTest(typed: TypedTerm): Test {
  const { token, key } = typed;
  if (token.operator !== ':' || token.range) return parseRange(typed);
  const pieces = token.pieces.filter((piece) => piece.text !== '' || piece.isQuoted);
  if (pieces.some((piece) => piece.stars && isEverything(piece.stars))) {
    if (!key.presence)
      throw new ParseError(message('core:query.presence', { key: typed.name, position: token.from + 1 }));
    return { present: true };
  }
  const values = pieces.filter((piece) => !piece.stars).map((piece) => checkValue(typed, piece));
  const patterns = pieces.flatMap((piece) => (piece.stars ? [termPattern(typed, piece, piece.stars)] : []));
  return patterns.length > 0 ? { values, patterns } : { values };
}

function parseRange(typed: TypedTerm): Test {
  const { token, name, key } = typed;
  const position = token.from + 1;
  const { pieces, range, operator } = token;
  if (!key.ranges) throw new ParseError(message('core:query.ranges', { key: name, position }));
  if (pieces.length > 2 || (range && pieces.length !== 2))
    throw new ParseError(message('core:query.form', { key: name, position }));
  const boundTest = (side: 'above' | 'below', piece: Piece | undefined): Test =>
    piece?.text ? { [side]: inclusiveBound(typed, side, checkValue(typed, piece)) } : {};
  if (!range) return boundTest(operator === '>' ? 'above' : 'below', pieces[0]);
  return { ...boundTest('above', pieces[0]), ...boundTest('below', pieces[1]) };
}

/**
 * Returns the bound for `>=` and `<=`, which include the whole day. The bound is therefore the day before or after it.
 * An age or an instant stays the same.
 */
function inclusiveBound({ token, name, key }: TypedTerm, side: 'above' | 'below', value: string): string {
  if (!token.inclusive || key.kind !== 'time' || isAge(value) || /:/.test(value) || value === 'now') return value;
  if (isDay(value)) return nextDay(value, side === 'above' ? -1 : 1);
  throw new ParseError(message('core:query.form', { key: name, position: token.from + 1 }));
}

/** Prints the term with one value replaced. */
function withPiece({ token, text }: TypedTerm, { from, to }: Piece, value: string): string {
  return text.slice(token.from, from) + value + text.slice(to, token.to);
}

function checkValue(typed: TypedTerm, piece: Piece): string {
  const { token, name, key, hasSearch } = typed;
  const result = checkFilterValue(name, key, piece.text, token.from + 1);
  if ('value' in result) return result.value;
  throw new ParseError(result.problem, [
    ...negationFix(typed, piece),
    ...result.nearMatches.map((value) => withPiece(typed, piece, quoteValue(value))),
    ...(key.isSearched && hasSearch && token.pieces.length === 1 && !token.negated ? [quoteWord(piece.text)] : []),
  ]);
}

/** Suggests `-health:OK` for `health:!OK` and `health:-OK`. */
function negationFix({ token, name, key }: TypedTerm, { text }: Piece): readonly string[] {
  if (!/^[-!]./.test(text) || token.negated || !key.negates || token.pieces.length > 1) return [];
  const result = checkFilterValue(name, key, text.slice(1), token.from + 1);
  return 'value' in result ? [`-${name}:${quoteValue(result.value)}`] : [];
}

/** Returns the pattern of a piece with stars. Only keys with a complete list of values support patterns. */
function termPattern(typed: TypedTerm, piece: Piece, stars: readonly string[]): Pattern {
  const { token, name, key, hasSearch } = typed;
  const values = { key: name, value: piece.text, position: token.from + 1 };
  const textParts = stars.filter((part) => part !== '');
  if (key.options) {
    const pattern = createPattern(stars.map((part) => looseName(part).toUpperCase()));
    if (key.options.some((option) => matchesPattern(pattern, option))) return pattern;
    const nearMatches = nearestNames(textParts.join(' '), key.options).map((value) => withPiece(typed, piece, value));
    throw new ParseError(message('core:query.option', { ...values, options: key.options.join(', ') }), nearMatches);
  }
  if (key.allValues) return createPattern(stars);
  if (key.contains) {
    throw new ParseError(message('core:query.starContained', values), [
      withPiece(typed, piece, quoteValue(textParts.join('*'))),
    ]);
  }
  const search = key.isSearched && hasSearch && token.pieces.length === 1 && !token.negated;
  throw new ParseError(
    message(search ? 'core:query.starSearched' : 'core:query.star', values),
    search ? [textParts.map(quoteWord).join(' ')] : [],
  );
}
