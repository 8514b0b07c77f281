/** A change inside the text of a statement. */
export interface SqlEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly operator: string;
}

interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

/** Words that end the condition before them. */
const stops = new Set(
  'and or where on when then else end having limit offset order group returning set union for from join left inner'.split(
    ' ',
  ),
);
const begins = new Set(['where', 'and', 'or', 'on', 'when', 'having']);

/** Conditions dropped, comparisons moved by one, locks and orders left out: in a statement written as text. */
export function sqlEdits(text: string): SqlEdit[] {
  const tokens = tokensOf(text);
  return [...conditions(text, tokens), ...replaced(tokens)].toSorted((a, b) => a.start - b.start);
}

/** Words, signs and parentheses; what stands in `${…}` and in quotes is a token of its own. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (let at = 0; at < text.length;) {
    const end = tokenEnd(text, at);
    const word = text.slice(at, end).toLowerCase();
    if (word.trim() !== '') tokens.push({ word, start: at, end, depth });
    if (word === '(') depth++;
    // A closing one belongs to what it closes.
    if (word === ')') depth--;
    at = end;
  }
  return tokens;
}

function tokenEnd(text: string, at: number): number {
  if (text.startsWith('${', at)) {
    let open = 0;
    for (let end = at + 1; end < text.length; end++) {
      if (text[end] === '{') open++;
      if (text[end] === '}' && --open === 0) return end + 1;
    }
  }
  if (text[at] === "'") return text.indexOf("'", at + 1) + 1 || text.length;
  const match = /^(\w+|\s+|<=|>=|<>|=>|->>|->|::|.)/s.exec(text.slice(at));
  return at + (match?.[0].length ?? 1);
}

function conditions(text: string, tokens: readonly Token[]): SqlEdit[] {
  return tokens.flatMap((token, index) => {
    if (!begins.has(token.word) || isRange(tokens, index)) return [];
    const rest = tokens.slice(index + 1);
    const stop = rest.findIndex(
      (next, offset) =>
        next.depth < token.depth ||
        (next.depth === token.depth && (next.word === ')' || next.word === ',' || next.word === '`')) ||
        (next.depth === token.depth && stops.has(next.word) && !isRange(tokens, index + 1 + offset)),
    );
    const [first] = rest;
    const last = stop === -1 ? rest.at(-1) : rest[stop - 1];
    if (first === undefined || last === undefined || last.start < first.start) return [];
    // An `or` with fewer ways to hold, everything else with one condition less.
    const neutral = token.word === 'or' ? 'false' : 'true';
    if (text.slice(first.start, last.end) === neutral) return [];
    return [{ start: first.start, end: last.end, text: neutral, operator: 'drop condition' }];
  });
}

/** The `and` of `between a and b` joins no conditions. */
function isRange(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (token?.word !== 'and') return false;
  for (let before = index - 1; before >= 0; before--) {
    const { word, depth } = tokens[before] as Token;
    if (depth < token.depth) return false;
    if (depth > token.depth) continue;
    if (word === 'between') return true;
    if (stops.has(word)) return false;
  }
  return false;
}

const signs: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  asc: 'desc',
  desc: 'asc',
};

function replaced(tokens: readonly Token[]): SqlEdit[] {
  return tokens.flatMap((token, index): SqlEdit[] => {
    const edit = (operator: string, end: number, by: string): SqlEdit => ({
      start: token.start,
      end,
      text: by,
      operator,
    });
    const sign = signs[token.word];
    if (sign !== undefined) return [edit('swap operator', token.end, sign)];
    const [next, third] = [tokens[index + 1], tokens[index + 2]];
    if (token.word === 'not' && (next?.word === 'exists' || next?.word === 'in')) {
      return [edit('drop not', next.start, '')];
    }
    if (token.word === 'is' && next?.word === 'null') return [edit('opposite', next.start, 'is not ')];
    if (token.word === 'is' && next?.word === 'not' && third?.word === 'null') {
      return [edit('opposite', third.start, 'is ')];
    }
    if (token.word === 'for' && (next?.word === 'update' || next?.word === 'share')) {
      return [edit('drop lock', third?.word === 'skip' ? (tokens[index + 3]?.end ?? third.end) : next.end, '')];
    }
    if (token.word === 'skip' && next?.word === 'locked') return [edit('drop lock', next.end, '')];
    return [];
  });
}
