import { inQuotes, readQuoted } from '#commands/text/quotes.ts';

/**
 * One value of a term, or the whole of a word, unquoted. Positions are offsets into the text; `from` is the quote
 * where there is one.
 */
export interface Piece {
  readonly text: string;
  readonly quoted: boolean;
  /** The texts between the stars outside quotes, where there are any. */
  readonly stars?: readonly string[];
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
  /** Written `>=` or `<=`. */
  readonly inclusive?: boolean;
  readonly pieces: readonly Piece[];
  /** The pieces are divided by `..` rather than by commas. */
  readonly range: boolean;
  /** A quote that was never closed. */
  readonly unclosed: boolean;
}

/** `=`, `!=` and `:>` are what other languages write; the canonical text has `:`, `-` and `>`. */
export const OPERATOR = /(!=|!:|<>|==|:?[<>]=?|[:=])/y;
/** An address is a word, though it begins like a term: `https://example.com/in`. */
const KEY = /(?![a-z][a-z0-9+.-]*:\/\/)([a-z][a-z0-9_-]*)/iy;
const SPACE = /\s/;
const NEGATES: ReadonlySet<string> = new Set(['!=', '!:', '<>']);

/** What an operator means, however it was written. */
export function readOperator(written: string): Pick<Token, 'operator' | 'inclusive' | 'negated'> {
  const negated = NEGATES.has(written);
  const compares = /^:?([<>])(=?)$/.exec(written);
  if (compares) {
    return { operator: compares[1] as '>' | '<', negated, ...(compares[2] ? { inclusive: true } : {}) };
  }
  return { operator: ':', negated };
}

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

/** The token that begins here; `-` and `!` in front of it leave out what it says. */
export function tokenAt(text: string, from: number): Token {
  const sign = /[-!]/.test(text[from] ?? '') && from + 1 < text.length && !SPACE.test(text[from + 1] ?? '');
  const start = sign ? from + 1 : from;
  KEY.lastIndex = start;
  const key = KEY.exec(text)?.[1];
  OPERATOR.lastIndex = KEY.lastIndex;
  const written = key === undefined ? undefined : OPERATOR.exec(text)?.[1];
  if (key === undefined || written === undefined) return { from, negated: sign, ...readPieces(text, start, undefined) };
  const { negated, ...operator } = readOperator(written);
  return {
    from,
    key,
    ...operator,
    negated: sign !== negated,
    ...readPieces(text, OPERATOR.lastIndex, operator.operator),
  };
}

/**
 * Quotes around a whole value as other languages and text editors write them; the apostrophe of a name is a letter.
 */
const FOREIGN = /(?:'([^']*)'|‘([^‘’]*)’|[“„]([^“”„]*)[“”])(?=[\s,]|$)/y;

/**
 * Reads to the next space outside quotes. Commas and `..` divide the values of `key:`; elsewhere they are letters
 * like any other.
 */
export function readPieces(
  text: string,
  start: number,
  operator: Token['operator'],
): Pick<Token, 'pieces' | 'to' | 'range' | 'unclosed'> {
  const pieces: Piece[] = [];
  const divides = operator === ':';
  let [at, from, value, quoted, range, unclosed] = [start, start, '', false, false, false];
  let [parts, part]: [string[], string] = [[], ''];
  const end = (next: number): void => {
    pieces.push({ text: value, quoted, ...(parts.length > 0 ? { stars: [...parts, part] } : {}), from, to: at });
    [value, quoted, parts, part, from, at] = ['', false, [], '', next, next];
  };
  const add = (letters: string): void => {
    value += letters;
    part += letters;
  };
  while (at < text.length && !SPACE.test(text[at] ?? '')) {
    FOREIGN.lastIndex = at;
    const foreign =
      at === from
        ? FOREIGN.exec(text)
            ?.slice(1)
            .find((name) => name !== undefined)
        : undefined;
    if (foreign !== undefined) {
      add(foreign);
      quoted = true;
      at = FOREIGN.lastIndex;
    } else if (text[at] === '"') {
      const string = readQuoted(text, at);
      add(string.text);
      quoted = true;
      unclosed ||= string.unclosed;
      at = string.to;
    } else if (divides && text[at] === ',') end(at + 1);
    else if (divides && text.startsWith('..', at)) {
      range = true;
      end(at + 2);
    } else if (text[at] === '*') {
      value += text[at++];
      parts.push(part);
      part = '';
    } else add(text[at++] ?? '');
  }
  end(at);
  return { pieces, to: Math.max(at, from), range, unclosed };
}

/** A value of a term as the filter writes it: quoted only where the grammar would read it otherwise. */
export function quoteValue(text: string): string {
  return text === '' || /^['‘“„<>]|[\s",*()]|\.\.|^\.|\.$/.test(text) ? inQuotes(text) : text;
}

/** A pattern, whose own stars stand outside the quotes: `"North f"*`. */
export function quotePattern(parts: readonly string[]): string {
  return parts.map((part) => (/^['‘“„<>]|[\s",*()]|\.\./.test(part) ? inQuotes(part) : part)).join('*');
}

/** The direction of a sort in other languages: quotes make it a word to search for. */
export const ORDER = /^(asc|desc)(?:ending)?$/i;

/** Words that join or leave out in other languages, so that only quotes make them words to search for. */
export const JOINS = /^(?:and|or|not|ago|&&?|\|\|?)$/i;

/**
 * A bare word as the filter writes it. `@selection` and the like are read by the line before the filter, so they are
 * quoted too, and so is what another language means something by: stars, parentheses, `or`, the clock after a date, and
 * ids in a list.
 */
export function quoteWord(text: string): string {
  const read =
    text === '' ||
    /[\s"*()]|^[-@!<>=:'‘“„]|^[a-z][a-z0-9_-]*[!:<>=~]|^\d\d?:\d\d|,$|^[\da-f]+([,-][\da-f]+)+$/i.test(text) ||
    JOINS.test(text) ||
    ORDER.test(text);
  return read ? inQuotes(text) : text;
}

/** What stands in a text from one place to another. */
export function inText(text: string, { from, to }: Pick<Token, 'from' | 'to'>): string {
  return text.slice(from, to);
}
