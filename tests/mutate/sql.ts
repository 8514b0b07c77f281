/** A change to an SQL statement. */
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

/** Keywords that end the condition before them. */
const conditionEnds = new Set(
  'and or where on when then else end having limit offset order group returning set union for from join left inner'.split(
    ' ',
  ),
);
const conditionStarts = new Set(['where', 'and', 'or', 'on', 'when', 'having']);

/** Returns edits for a statement's text: dropped conditions, moved bounds, reversed orders, and removed locks. */
export function sqlEdits(text: string): SqlEdit[] {
  const tokens = tokenize(text);
  return [...conditionEdits(text, tokens), ...replacementEdits(tokens)].toSorted((a, b) => a.start - b.start);
}

/** Splits a statement into words, signs, and parentheses; everything in `${…}` and in quotes is a single token. */
function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (let offset = 0; offset < text.length;) {
    const end = findTokenEnd(text, offset);
    const word = text.slice(offset, end).toLowerCase();
    if (word.trim() !== '') tokens.push({ word, start: offset, end, depth });
    if (word === '(') depth++;
    // A closing parenthesis has the depth of its opening parenthesis.
    if (word === ')') depth--;
    offset = end;
  }
  return tokens;
}

function findTokenEnd(text: string, offset: number): number {
  if (text.startsWith('${', offset)) {
    let open = 0;
    for (let end = offset + 1; end < text.length; end++) {
      if (text[end] === '{') open++;
      if (text[end] === '}' && --open === 0) return end + 1;
    }
  }
  if (text[offset] === "'") return text.indexOf("'", offset + 1) + 1 || text.length;
  const match = /^(\w+|\s+|<=|>=|<>|=>|->>|->|::|.)/s.exec(text.slice(offset));
  return offset + (match?.[0].length ?? 1);
}

function conditionEdits(text: string, tokens: readonly Token[]): SqlEdit[] {
  return tokens.flatMap((token, index) => {
    if (!conditionStarts.has(token.word) || isRange(tokens, index)) return [];
    const followingTokens = tokens.slice(index + 1);
    const stop = followingTokens.findIndex(
      (next, offset) =>
        next.depth < token.depth ||
        (next.depth === token.depth && (next.word === ')' || next.word === ',' || next.word === '`')) ||
        (next.depth === token.depth && conditionEnds.has(next.word) && !isRange(tokens, index + 1 + offset)),
    );
    const [first] = followingTokens;
    const last = stop === -1 ? followingTokens.at(-1) : followingTokens[stop - 1];
    if (first === undefined || last === undefined || last.start < first.start) return [];
    // `or` loses one alternative; everything else loses one condition.
    const neutral = token.word === 'or' ? 'false' : 'true';
    if (text.slice(first.start, last.end) === neutral) return [];
    return [{ start: first.start, end: last.end, text: neutral, operator: 'drop condition' }];
  });
}

/** True for the `and` in `between a and b`, which does not join conditions. */
function isRange(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (token?.word !== 'and') return false;
  for (let before = index - 1; before >= 0; before--) {
    const { word, depth } = tokens[before] as Token;
    if (depth < token.depth) return false;
    if (depth > token.depth) continue;
    if (word === 'between') return true;
    if (conditionEnds.has(word)) return false;
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

function replacementEdits(tokens: readonly Token[]): SqlEdit[] {
  return tokens.flatMap((token, index): SqlEdit[] => {
    const edit = (operator: string, end: number, replacement: string): SqlEdit => ({
      start: token.start,
      end,
      text: replacement,
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
