/** A text made ready for scoring, once: letters folded, a bit for each letter it has, and where its words start. */
export interface Candidate {
  readonly text: string;
  /** Folded letter by letter, so that positions are those of `text`. */
  readonly letters: string;
  readonly mask: number;
  readonly starts: Uint8Array;
}

/** What was typed, made ready: each word must be found. */
export interface Needle {
  readonly words: readonly string[];
  /** All of them as one. */
  readonly whole: string;
  readonly mask: number;
}

/** Half-open: letters `from` up to `to`. */
export type Range = readonly [from: number, to: number];

export interface Match {
  readonly score: number;
  readonly ranges: readonly Range[];
}

// What a matched letter is worth. A run and a word's start outweigh any gap, so that initials and prefixes come first.
const LETTER = 1;
const RUN = 6;
const WORD_START = 8;
const TEXT_START = 4;
const GAP = -0.3;
const LONGEST_GAP = 12;
/** Between equals the shorter text is meant. */
const LENGTH = -0.02;
/** Words found each by itself, not in the order they were typed. */
const APART = -6;

/** Letters of a longer query add nothing that its first ones did not say. */
const LONGEST = 32;

export function candidate(text: string): Candidate {
  const letters = fold(text);
  const starts = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) starts[at] = Number(isWordStart(text, at));
  return { text, letters, mask: maskOf(letters), starts };
}

export function needle(query: string): Needle {
  const words = fold(query.slice(0, LONGEST)).split(/\s+/).filter(Boolean);
  const whole = words.join('');
  return { words, whole, mask: maskOf(whole) };
}

/** The score of a text for what was typed, greater is better; undefined where the letters are not there in order. */
export function scoreOf(of: Candidate, typed: Needle): number | undefined {
  return find(of, typed);
}

/** The score with the letters that matched, for marking them. */
export function match(of: Candidate, typed: Needle): Match | undefined {
  const places: number[] = [];
  const score = find(of, typed, places);
  return score === undefined ? undefined : { score, ranges: rangesOf(places) };
}

/** Adds where the letters stand to `places`, when given. */
function find(of: Candidate, { words, whole, mask }: Needle, places?: number[]): number | undefined {
  if ((mask & ~of.mask) !== 0) return undefined;
  const length = LENGTH * of.letters.length;
  if (words.length === 0) return length;
  const together = align(of, whole, places);
  if (together !== undefined) return together + length;
  if (words.length === 1) return undefined;
  let score = APART + length;
  for (const word of words) {
    const found = align(of, word, places);
    if (found === undefined) return undefined;
    score += found;
  }
  return score;
}

// Scratch space: scoring thousands of texts a key should leave nothing behind to collect.
const last = new Int32Array(LONGEST);
const leftmost = new Int32Array(LONGEST);
const byWords = new Int32Array(LONGEST);

/**
 * Two ways to lay the letters over the text, whichever scores more: the leftmost, and one that goes on in a run, else at the next start of a
 * word, else at the next place there is. `last` keeps the second from passing the point where the rest no longer fits. Each way looks at a
 * letter of the text a bounded number of times, so no query is slow.
 */
function align(of: Candidate, query: string, places?: number[]): number | undefined {
  if (!findLast(of.letters, query)) return undefined;
  const plain = lay(of, query, leftmost, false);
  const worded = lay(of, query, byWords, true);
  if (places) places.push(...(worded >= plain ? byWords : leftmost).subarray(0, query.length));
  return Math.max(plain, worded);
}

/** For each letter of the query the last place where it may stand; false when it does not fit at all. */
function findLast(letters: string, query: string): boolean {
  let place = letters.length;
  for (let at = query.length - 1; at >= 0; at--) {
    if (place <= 0) return false;
    place = letters.lastIndexOf(query[at] ?? '', place - 1);
    if (place < 0) return false;
    last[at] = place;
  }
  return true;
}

function lay(of: Candidate, query: string, places: Int32Array, byWord: boolean): number {
  let score = 0;
  let before = -1;
  for (let at = 0; at < query.length; at++) {
    const letter = query[at] ?? '';
    let place = -1;
    if (byWord && !(before >= 0 && of.letters[before + 1] === letter)) {
      place = nextStart(of, letter, before + 1, last[at] ?? 0);
    }
    if (place < 0) place = of.letters.indexOf(letter, before + 1);
    score += LETTER;
    if (before >= 0 && place === before + 1) score += RUN;
    else score += GAP * Math.min(place - before - 1, LONGEST_GAP);
    if (of.starts[place]) score += WORD_START;
    if (place === 0) score += TEXT_START;
    places[at] = place;
    before = place;
  }
  return score;
}

function nextStart({ letters, starts }: Candidate, letter: string, from: number, limit: number): number {
  for (let at = letters.indexOf(letter, from); at >= 0 && at <= limit; at = letters.indexOf(letter, at + 1)) {
    if (starts[at]) return at;
  }
  return -1;
}

function rangesOf(places: readonly number[]): readonly Range[] {
  const ranges: [number, number][] = [];
  for (const place of [...new Set(places)].sort((a, b) => a - b)) {
    const open = ranges.at(-1);
    if (open && open[1] === place) open[1]++;
    else ranges.push([place, place + 1]);
  }
  return ranges;
}

function isWordStart(text: string, at: number): boolean {
  const [before, letter] = [text[at - 1], text[at] ?? ''];
  if (!isWord(letter)) return false;
  return before === undefined || !isWord(before) || (isUpper(letter) && !isUpper(before));
}

function isWord(letter: string): boolean {
  const code = letter.charCodeAt(0);
  if (code > 127) return /[\p{L}\p{N}]/u.test(letter);
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

function isUpper(letter: string): boolean {
  return letter !== letter.toLowerCase();
}

/** Small letters without accents, never more or fewer than there were. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length && /^[ -~]*$/.test(lower)) return lower;
  return Array.from({ length: text.length }, (_, at) => foldLetter(text.charAt(at))).join('');
}

function foldLetter(letter: string): string {
  const plain = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.length === 1 ? plain : letter;
}

/** A bit for each of a-z, one for digits, and five that the other letters share; spaces have none. */
function maskOf(letters: string): number {
  let mask = 0;
  for (let at = 0; at < letters.length; at++) {
    const code = letters.charCodeAt(at);
    if (code >= 97 && code <= 122) mask |= 1 << (code - 97);
    else if (code >= 48 && code <= 57) mask |= 1 << 26;
    else if (code > 32) mask |= 1 << (27 + (code % 5));
  }
  return mask;
}
