import { readQuoted } from '#commands/text/quotes.ts';

/**
 * One value of a term, or a whole word, without its quotes. The positions are offsets into the text and include the
 * quotes.
 */
export interface Piece {
  readonly text: string;
  readonly isQuoted: boolean;
  /** The parts between unquoted stars, if there are any stars. */
  readonly stars?: readonly string[];
  readonly from: number;
  readonly to: number;
}

/**
 * One token of a filter's text: a term (with `key` and `operator`) or a bare word (a single piece). Any text can be
 * tokenized, and the parser interprets the tokens.
 */
export interface Token {
  readonly from: number;
  readonly to: number;
  readonly negated: boolean;
  readonly key?: string;
  readonly operator?: ':' | '>' | '<';
  /** True for `>=` and `<=`. */
  readonly inclusive?: boolean;
  readonly pieces: readonly Piece[];
  /** True if the pieces are separated by `..` instead of commas. */
  readonly range: boolean;
  /** True if a closing quote is missing. */
  readonly isUnclosed: boolean;
}

/**
 * Matches an operator. Includes the operators `=`, `!=`, and `:>` from other query languages, which become `:`, `-`,
 * and `>` in the canonical text.
 */
export const OPERATOR = /(!=|!:|<>|==|:?[<>]=?|[:=])/y;
/** Matches a key. Does not match a URL such as `https://example.com/in`, which starts like a term but is a word. */
const KEY = /(?![a-z][a-z0-9+.-]*:\/\/)([a-z][a-z0-9_-]*)/iy;
const SPACE = /\s/;
const NEGATING_OPERATORS: ReadonlySet<string> = new Set(['!=', '!:', '<>']);

/** Returns the meaning of an operator, in any spelling. */
export function readOperator(symbol: string): Pick<Token, 'operator' | 'inclusive' | 'negated'> {
  const negated = NEGATING_OPERATORS.has(symbol);
  const comparison = /^:?([<>])(=?)$/.exec(symbol);
  if (comparison) {
    return { operator: comparison[1] as '>' | '<', negated, ...(comparison[2] ? { inclusive: true } : {}) };
  }
  return { operator: ':', negated };
}

export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let index = 0; index < text.length;) {
    if (SPACE.test(text[index] ?? '')) index++;
    else {
      const token = readToken(text, index);
      tokens.push(token);
      index = token.to;
    }
  }
  return tokens;
}

/** Reads the token at the given position. A leading `-` or `!` negates it. */
export function readToken(text: string, from: number): Token {
  const isNegated = /[-!]/.test(text[from] ?? '') && from + 1 < text.length && !SPACE.test(text[from + 1] ?? '');
  const start = isNegated ? from + 1 : from;
  KEY.lastIndex = start;
  const key = KEY.exec(text)?.[1];
  OPERATOR.lastIndex = KEY.lastIndex;
  const symbol = key === undefined ? undefined : OPERATOR.exec(text)?.[1];
  if (key === undefined || symbol === undefined)
    return { from, negated: isNegated, ...readPieces(text, start, undefined) };
  const { negated, ...operator } = readOperator(symbol);
  return {
    from,
    key,
    ...operator,
    negated: isNegated !== negated,
    ...readPieces(text, OPERATOR.lastIndex, operator.operator),
  };
}

/** Matches a whole value in quotes from other languages or text editors. Ignores apostrophes inside names. */
const FOREIGN_QUOTES = /(?:'([^']*)'|‘([^‘’]*)’|[“„]([^“”„]*)[“”])(?=[\s,]|$)/y;

/**
 * Reads up to the next unquoted space. Commas and `..` separate the values after `key:` but are ordinary characters
 * elsewhere.
 */
export function readPieces(
  text: string,
  start: number,
  operator: Token['operator'],
): Pick<Token, 'pieces' | 'to' | 'range' | 'isUnclosed'> {
  const pieces: Piece[] = [];
  const splitsValues = operator === ':';
  let [position, from, value, isQuoted, hasRange, isUnclosed] = [start, start, '', false, false, false];
  let [parts, part]: [string[], string] = [[], ''];
  const finishPiece = (next: number): void => {
    pieces.push({
      text: value,
      isQuoted,
      ...(parts.length > 0 ? { stars: [...parts, part] } : {}),
      from,
      to: position,
    });
    [value, isQuoted, parts, part, from, position] = ['', false, [], '', next, next];
  };
  const add = (text: string): void => {
    value += text;
    part += text;
  };
  while (position < text.length && !SPACE.test(text[position] ?? '')) {
    FOREIGN_QUOTES.lastIndex = position;
    const foreignText =
      position === from
        ? FOREIGN_QUOTES.exec(text)
            ?.slice(1)
            .find((group) => group !== undefined)
        : undefined;
    if (foreignText !== undefined) {
      add(foreignText);
      isQuoted = true;
      position = FOREIGN_QUOTES.lastIndex;
    } else if (text[position] === '"') {
      const string = readQuoted(text, position);
      add(string.text);
      isQuoted = true;
      isUnclosed ||= string.isUnclosed;
      position = string.to;
    } else if (splitsValues && text[position] === ',') finishPiece(position + 1);
    else if (splitsValues && text.startsWith('..', position)) {
      hasRange = true;
      finishPiece(position + 2);
    } else if (text[position] === '*') {
      value += text[position++];
      parts.push(part);
      part = '';
    } else add(text[position++] ?? '');
  }
  finishPiece(position);
  return { pieces, to: Math.max(position, from), range: hasRange, isUnclosed };
}

/** Returns the part of the text between two positions. */
export function textOf(text: string, { from, to }: Pick<Token, 'from' | 'to'>): string {
  return text.slice(from, to);
}
