/** A word of a line, its quotes taken off; positions are offsets into the line, quotes included. */
export interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface Words {
  readonly words: readonly Word[];
  /** Where a quote was opened that never closes. */
  readonly unclosed?: number;
}

const SPACE = /\s/;
/** What any POSIX shell takes as it is. */
const SAFE = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;
/** What a backslash takes its meaning from inside double quotes. */
const ESCAPED_IN_DOUBLE = '$`"\\';

/** Divides a line into words as a POSIX shell does, without expansions. */
export function splitWords(line: string): Words {
  const words: Word[] = [];
  let unclosed: number | undefined;
  for (let at = 0; at < line.length;) {
    if (SPACE.test(line[at] ?? '')) {
      at++;
      continue;
    }
    const from = at;
    let text = '';
    while (at < line.length && !SPACE.test(line[at] ?? '')) {
      const letter = line[at] ?? '';
      if (letter === "'" || letter === '"') {
        const string = letter === "'" ? readSingle(line, at) : readDouble(line, at);
        text += string.text;
        if (string.unclosed) unclosed ??= at;
        at = string.to;
      } else if (letter === '\\' && at + 1 < line.length) {
        text += line[at + 1] === '\n' ? '' : line[at + 1];
        at += 2;
      } else {
        text += letter;
        at++;
      }
    }
    words.push({ text, from, to: at });
  }
  return unclosed === undefined ? { words } : { words, unclosed };
}

interface Quoted {
  readonly text: string;
  readonly to: number;
  readonly unclosed: boolean;
}

function readSingle(line: string, from: number): Quoted {
  const end = line.indexOf("'", from + 1);
  if (end < 0) return { text: line.slice(from + 1), to: line.length, unclosed: true };
  return { text: line.slice(from + 1, end), to: end + 1, unclosed: false };
}

function readDouble(line: string, from: number): Quoted {
  let text = '';
  for (let at = from + 1; at < line.length; at++) {
    const letter = line[at] ?? '';
    if (letter === '"') return { text, to: at + 1, unclosed: false };
    const next = line[at + 1] ?? '';
    if (letter === '\\' && next !== '' && (ESCAPED_IN_DOUBLE.includes(next) || next === '\n')) {
      text += next === '\n' ? '' : next;
      at++;
    } else text += letter;
  }
  return { text, to: line.length, unclosed: true };
}

/** A word as a line shows it: in quotes only where a shell needs them, single ones unless the text has one itself. */
export function shellQuote(word: string): string {
  if (SAFE.test(word)) return word;
  if (!word.includes("'")) return `'${word}'`;
  return /["$`\\!]/.test(word) ? `'${word.replace(/'/g, String.raw`'\''`)}'` : `"${word}"`;
}
