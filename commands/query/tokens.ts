import { inQuotes, readQuoted } from '../core/quotes.ts';

/** One value of a term, or the whole of a word, unquoted. Positions are offsets into the text; `from` is the quote where there is one. */
export interface Piece {
  readonly text: string;
  readonly quoted: boolean;
  readonly from: number;
  readonly to: number;
}

/**
 * One unbroken piece of a filter's text: a term (`key` and `operator` are there) or a bare word (one piece).
 * Every text divides into tokens; what they mean is the parser's to judge.
 */
export interface Token {
  readonly from: number;
  readonly to: number;
  readonly negated: boolean;
  readonly key?: string;
  readonly operator?: ':' | '>' | '<';
  readonly pieces: readonly Piece[];
  /** The pieces are divided by `..` rather than by commas. */
  readonly range: boolean;
  /** A quote that was never closed. */
  readonly unclosed: boolean;
}

const KEY = /([a-z][a-z0-9_-]*)([:<>])/iy;
const SPACE = /\s/;

export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    if (SPACE.test(text[at] ?? '')) at++;
    else {
      const token = tokenAt(text, at);
      tokens.push(token);
      at = token.to;
    }
  }
  return tokens;
}

function tokenAt(text: string, from: number): Token {
  const negated = text[from] === '-' && from + 1 < text.length && !SPACE.test(text[from + 1] ?? '');
  const start = negated ? from + 1 : from;
  KEY.lastIndex = start;
  const found = KEY.exec(text);
  const operator = found?.[2] as Token['operator'];
  const { pieces, to, range, unclosed } = readPieces(text, found ? KEY.lastIndex : start, operator);
  return found
    ? { from, to, negated, key: found[1] ?? '', operator, pieces, range, unclosed }
    : { from, to, negated, pieces, range, unclosed };
}

/** Reads to the next space outside quotes. Commas and `..` divide the values of `key:`; elsewhere they are letters like any other. */
function readPieces(
  text: string,
  start: number,
  operator: Token['operator'],
): Pick<Token, 'pieces' | 'to' | 'range' | 'unclosed'> {
  const pieces: Piece[] = [];
  const divides = operator === ':';
  let [at, from, value, quoted, range, unclosed] = [start, start, '', false, false, false];
  const end = (next: number): void => {
    pieces.push({ text: value, quoted, from, to: at });
    [value, quoted, from, at] = ['', false, next, next];
  };
  while (at < text.length && !SPACE.test(text[at] ?? '')) {
    if (text[at] === '"') {
      const string = readQuoted(text, at);
      value += string.text;
      quoted = true;
      unclosed ||= string.unclosed;
      at = string.to;
    } else if (divides && text[at] === ',') end(at + 1);
    else if (divides && text.startsWith('..', at)) {
      range = true;
      end(at + 2);
    } else value += text[at++];
  }
  end(at);
  return { pieces, to: Math.max(at, from), range, unclosed };
}

/** A value of a term as the filter writes it: quoted only where the grammar would read it otherwise. */
export function quoteValue(text: string): string {
  return text === '' || text === '*' || /[\s",]|\.\.|^\.|\.$/.test(text) ? inQuotes(text) : text;
}

/** A bare word as the filter writes it. `@selection` and the like are read by the line before the filter, so they are quoted too. */
export function quoteWord(text: string): string {
  return text === '' || text === '*' || /[\s"]|^[-@]|^[a-z][a-z0-9_-]*[:<>]/i.test(text) ? inQuotes(text) : text;
}
