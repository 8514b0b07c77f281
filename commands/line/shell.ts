/** A word of a line, unquoted. Positions are offsets into the line, including quotes. */
export interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface SplitWords {
  readonly words: readonly Word[];
  /** Position of an opening quote that is never closed. */
  readonly unclosedAt?: number;
}

const SPACE = /\s/;
/** Words that need no quotes in any POSIX shell. */
const SAFE = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;
/** Characters that a backslash escapes inside double quotes. */
const ESCAPED_IN_DOUBLE = '$`"\\';

/** Splits a line into words like a POSIX shell, without expansions. */
export function splitWords(line: string): SplitWords {
  const words: Word[] = [];
  let unclosedAt: number | undefined;
  for (let index = 0; index < line.length;) {
    if (SPACE.test(line[index] ?? '')) {
      index++;
      continue;
    }
    const from = index;
    let text = '';
    while (index < line.length && !SPACE.test(line[index] ?? '')) {
      const char = line[index] ?? '';
      if (char === "'" || char === '"') {
        const quotedText = char === "'" ? readSingleQuoted(line, index) : readDoubleQuoted(line, index);
        text += quotedText.text;
        if (quotedText.isUnclosed) unclosedAt ??= index;
        index = quotedText.to;
      } else if (char === '\\' && index + 1 < line.length) {
        text += line[index + 1] === '\n' ? '' : line[index + 1];
        index += 2;
      } else {
        text += char;
        index++;
      }
    }
    words.push({ text, from, to: index });
  }
  return unclosedAt === undefined ? { words } : { words, unclosedAt };
}

interface QuotedText {
  readonly text: string;
  readonly to: number;
  readonly isUnclosed: boolean;
}

function readSingleQuoted(line: string, from: number): QuotedText {
  const end = line.indexOf("'", from + 1);
  if (end < 0) return { text: line.slice(from + 1), to: line.length, isUnclosed: true };
  return { text: line.slice(from + 1, end), to: end + 1, isUnclosed: false };
}

function readDoubleQuoted(line: string, from: number): QuotedText {
  let text = '';
  for (let index = from + 1; index < line.length; index++) {
    const char = line[index] ?? '';
    if (char === '"') return { text, to: index + 1, isUnclosed: false };
    const next = line[index + 1] ?? '';
    if (char === '\\' && next !== '' && (ESCAPED_IN_DOUBLE.includes(next) || next === '\n')) {
      text += next === '\n' ? '' : next;
      index++;
    } else text += char;
  }
  return { text, to: line.length, isUnclosed: true };
}

/** Quotes a word if a shell requires it, with single quotes unless the text contains one. */
export function shellQuote(word: string): string {
  if (SAFE.test(word)) return word;
  if (!word.includes("'")) return `'${word}'`;
  return /["$`\\!]/.test(word) ? `'${word.replace(/'/g, String.raw`'\''`)}'` : `"${word}"`;
}
