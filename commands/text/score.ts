/**
 * A text prepared for scoring: letters folded, a bit for each letter in it, and where its words start. Its phrases (a
 * label, then other names of the same thing) stand on lines of their own.
 */
export interface Candidate {
  readonly text: string;
  /** Folded letter by letter, so that positions are those of `text`. Each phrase ends with a line break. */
  readonly letters: string;
  readonly mask: number;
  readonly starts: Uint8Array;
  /** Length of the first phrase, the label. */
  readonly label: number;
  /**
   * Only up to here may letters match that do not stand together: what follows are synonyms, which are typed as words
   * or not at all.
   */
  readonly loose: number;
}

/** What was typed, prepared for scoring: each word must be found. */
export interface Needle {
  readonly words: readonly string[];
  /** The words with single spaces. */
  readonly phrase: string;
  /** The words without spaces. */
  readonly whole: string;
  readonly mask: number;
}

/** Half-open: letters `from` up to `to`. */
export type Range = readonly [from: number, to: number];

export interface Match {
  readonly score: number;
  readonly ranges: readonly Range[];
}

/**
 * How a text matches, best last. A tier always outweighs everything within one: letters scattered over a long title
 * never come before the start of a name, however many of them begin a word.
 */
export const TIER = {
  /** The letters are there in order, and that is all. */
  scattered: 1,
  /** Each word stands somewhere, at least one of them inside a word. */
  inside: 2,
  /** Letters of several words, each run of them from the start of one: `hge` and `halg` for Halvorsen Geothermal. */
  initials: 3,
  /** A word starts with it but for one letter that was left out: `devics`. */
  near: 4,
  /** Each word starts a word of the text. */
  words: 5,
  /** A phrase starts with it. */
  start: 6,
  /** A phrase is exactly it. */
  exact: 7,
} as const;

export type Tier = (typeof TIER)[keyof typeof TIER];

/** Between tiers; whatever is added within one stays far below half of it. */
const STEP = 10_000;

// Within a tier. A run and a word's start outweigh any gap.
const LETTER = 1;
const RUN = 6;
const WORD_START = 8;
const TEXT_START = 4;
const GAP = -0.3;
const LONGEST_GAP = 12;
/** In the label, not in another name. */
const LABEL = 3;
/** The last word was typed to its end. */
const WHOLE_WORD = 3;
/** For each letter of a phrase that was not typed. */
const UNTYPED = -0.2;
const MOST_UNTYPED = 30;
/** Between equals the shorter label is meant. */
const LENGTH = -0.02;
/** Words found in another order than they were typed. */
const APART = -6;

/** Of a shorter word, one letter less is another word. */
const SHORTEST_NEAR = 4;
/** Nobody types longer initials. */
const MOST_INITIALS = 8;

/** Letters of a longer query add nothing that its first ones did not say. */
const LONGEST = 32;

/** `synonyms` are other names, a phrase a line, that count only as words. */
export function candidate(text: string, synonyms = ''): Candidate {
  const all = `${text}\n${synonyms}\n`;
  const letters = fold(all);
  const starts = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) starts[at] = Number(isWordStart(all, at));
  return { text, letters, mask: maskOf(letters), starts, label: letters.indexOf('\n'), loose: text.length };
}

export function needle(query: string): Needle {
  const words = fold(query.slice(0, LONGEST)).split(/\s+/).filter(Boolean);
  const whole = words.join('');
  return { words, phrase: words.join(' '), whole, mask: maskOf(whole) };
}

/** The tier of a score. */
export function tierOf(score: number): Tier {
  return Math.floor(score / STEP) as Tier;
}

/** What a score has beyond its tier. */
export function withinTier(score: number): number {
  return score - inTier(tierOf(score), 0);
}

/** The score of a text for what was typed, greater is better; undefined where the letters are not there in order. */
export function scoreOf(candidate: Candidate, typed: Needle): number | undefined {
  return find(candidate, typed);
}

/** The score with the letters that matched, for marking them. */
export function match(candidate: Candidate, typed: Needle): Match | undefined {
  const places: number[] = [];
  const score = find(candidate, typed, places);
  return score === undefined ? undefined : { score, ranges: rangesOf(places) };
}

/** A score within a tier; what is added may be negative, and must stay far below half of a tier. */
export function inTier(tier: Tier, score: number): number {
  return tier * STEP + STEP / 2 + score;
}

/** Adds where the letters stand to `places`, when given. */
function find(candidate: Candidate, typed: Needle, places?: number[]): number | undefined {
  if ((typed.mask & ~candidate.mask) !== 0) return undefined;
  const length = LENGTH * candidate.label;
  if (typed.words.length === 0) return inTier(TIER.scattered, length);
  const together = findPhrase(candidate, typed.phrase, places) ?? findWords(candidate, typed.words, places);
  if (together !== undefined) return together + length;
  const loose = findNear(candidate, typed.whole, places) ?? findLoose(candidate, typed, places);
  return loose === undefined ? undefined : loose + length;
}

/**
 * Best place of a phrase that stands together; undefined where it does not. Inside a word it may still be several
 * words that start one each.
 */
function findPhrase(candidate: Candidate, phrase: string, places?: number[]): number | undefined {
  const { letters, starts, label } = candidate;
  let best = -1;
  let bestAt = -1;
  for (let at = letters.indexOf(phrase); at >= 0; at = letters.indexOf(phrase, at + 1)) {
    const end = at + phrase.length;
    const opens = at === 0 || letters.charCodeAt(at - 1) === 10;
    const closes = letters[end] === '\n';
    let score = at < label ? LABEL : 0;
    if (!opens && !isWord(letters.charAt(end))) score += WHOLE_WORD;
    if (opens && closes) score = inTier(TIER.exact, score);
    else if (opens) score = inTier(TIER.start, score + UNTYPED * Math.min(untyped(letters, end), MOST_UNTYPED));
    else if (starts[at]) score = inTier(TIER.words, score);
    else score = inTier(TIER.inside, score);
    if (score > best) [best, bestAt] = [score, at];
  }
  if (bestAt < 0) return undefined;
  mark(phrase, bestAt, places);
  return best;
}

/** Letters of a phrase behind what was typed of it. */
function untyped(letters: string, from: number): number {
  return letters.indexOf('\n', from) - from;
}

/** Each word by itself, at the start of a word where there is one; undefined where one of them stands nowhere. */
function findWords(candidate: Candidate, words: readonly string[], places?: number[]): number | undefined {
  let tier: Tier = TIER.words;
  let score = 0;
  let apart = 0;
  let before = -1;
  const found: number[] = [];
  for (const word of words) {
    const anywhere = candidate.letters.indexOf(word);
    if (anywhere < 0) return undefined;
    // One inside a word decides the tier: the others need no search for a better place.
    const start =
      tier === TIER.words ? (startOf(candidate, word, before + 1) ?? startOf(candidate, word, anywhere)) : undefined;
    const at = start ?? anywhere;
    if (start === undefined) tier = TIER.inside;
    if (at < before) apart = APART;
    if (at < candidate.label) score += LABEL / words.length;
    if (!isWord(candidate.letters.charAt(at + word.length))) score += WHOLE_WORD / words.length;
    before = at;
    found.push(at);
  }
  words.forEach((word, index) => mark(word, found[index] ?? 0, places));
  return inTier(tier, score + apart);
}

/** The first place from there on where a word of the text starts with this. */
function startOf({ letters, starts }: Candidate, word: string, from: number): number | undefined {
  for (let at = letters.indexOf(word, from); at >= 0; at = letters.indexOf(word, at + 1)) {
    if (starts[at]) return at;
  }
  return undefined;
}

/** A word with one letter left out, the place that has the least behind it; undefined where there is none. */
function findNear(candidate: Candidate, word: string, places?: number[]): number | undefined {
  if (word.length < SHORTEST_NEAR) return undefined;
  const { letters, starts, loose } = candidate;
  let best = -Infinity;
  let bestAt = -1;
  let bestGap = 0;
  const first = word.charAt(0);
  for (let at = letters.indexOf(first); at >= 0 && at < loose; at = letters.indexOf(first, at + 1)) {
    const gap = starts[at] ? gapAt(letters, at, word) : 0;
    if (gap === 0) continue;
    const behind = untyped(letters, at + word.length + 1);
    const opens = at === 0 || letters.charCodeAt(at - 1) === 10;
    const score = (opens ? LABEL : 0) + UNTYPED * Math.min(behind, MOST_UNTYPED);
    if (score > best) [best, bestAt, bestGap] = [score, at, gap];
  }
  if (bestAt < 0) return undefined;
  mark(word.slice(0, bestGap), bestAt, places);
  mark(word.slice(bestGap), bestAt + bestGap + 1, places);
  return inTier(TIER.near, best);
}

/** How many letters stand before the one that was left out; 0 where it is not just one within a word. */
function gapAt(letters: string, from: number, word: string): number {
  let gap = 0;
  // The line break behind the phrase is in no word.
  while (letters[from + gap] === word[gap]) gap++;
  const missing = letters.charAt(from + gap);
  return isWord(missing) && letters.startsWith(word.slice(gap), from + gap + 1) ? gap : 0;
}

/** Letters that do not stand together, as one word or each word by itself. */
function findLoose(candidate: Candidate, { words, whole }: Needle, places?: number[]): number | undefined {
  const together = align(candidate, whole, places);
  if (together !== undefined) return together;
  let score = APART;
  for (const word of words) {
    const found = align(candidate, word, places, false);
    if (found === undefined) return undefined;
    score += withinTier(found);
  }
  return inTier(TIER.scattered, score);
}

function mark(phrase: string, from: number, places?: number[]): void {
  if (!places) return;
  for (let at = 0; at < phrase.length; at++) if (phrase[at] !== ' ') places.push(from + at);
}

// Scratch space: scoring thousands of texts a key should leave nothing behind to collect.
const last = new Int32Array(LONGEST);
const leftmost = new Int32Array(LONGEST);
const byRuns = new Int32Array(LONGEST);
const byStarts = new Int32Array(LONGEST);

/**
 * Ways to lay the letters over the text: one that goes on in a run, else at the next start of a word, one that prefers
 * the start, and the leftmost. `last` keeps them from passing the point where the rest no longer fits. Each way looks
 * at a letter of the text a bounded number of times, so no query is slow. With `initials` it also tells whether every
 * run starts a word.
 */
function align(candidate: Candidate, query: string, places?: number[], initials = true): number | undefined {
  if (!findLast(candidate, query)) return undefined;
  const runs = lay(candidate, query, byRuns, 'run');
  if (initials && startsWords(candidate, byRuns, query.length)) return laid(TIER.initials, runs, byRuns, query, places);
  if (initials && query.length <= MOST_INITIALS) {
    const starting = lay(candidate, query, byStarts, 'start');
    if (startsWords(candidate, byStarts, query.length)) return laid(TIER.initials, starting, byStarts, query, places);
  }
  const plain = lay(candidate, query, leftmost, 'leftmost');
  if (runs >= plain) return laid(TIER.scattered, runs, byRuns, query, places);
  return laid(TIER.scattered, plain, leftmost, query, places);
}

function laid(tier: Tier, score: number, way: Int32Array, query: string, places?: number[]): number {
  places?.push(...way.subarray(0, query.length));
  return inTier(tier, score);
}

/** Whether each run of letters begins a word. */
function startsWords({ starts }: Candidate, way: Int32Array, length: number): boolean {
  for (let at = 0; at < length; at++) {
    const place = way[at] ?? 0;
    if (!starts[place] && way[at - 1] !== place - 1) return false;
  }
  return true;
}

/** For each letter of the query the last place where it may stand; false when it does not fit at all. */
function findLast({ letters, loose }: Candidate, query: string): boolean {
  let place = loose;
  for (let at = query.length - 1; at >= 0; at--) {
    if (place <= 0) return false;
    place = letters.lastIndexOf(query.charAt(at), place - 1);
    if (place < 0) return false;
    last[at] = place;
  }
  return true;
}

function lay(candidate: Candidate, query: string, places: Int32Array, way: 'run' | 'start' | 'leftmost'): number {
  let score = 0;
  let before = -1;
  for (let at = 0; at < query.length; at++) {
    const letter = query.charAt(at);
    let place = -1;
    const runs = candidate.letters[before + 1] === letter;
    if (way === 'start' || (way === 'run' && !runs)) place = nextStart(candidate, letter, before + 1, last[at] ?? 0);
    if (place < 0) place = candidate.letters.indexOf(letter, before + 1);
    score += LETTER;
    if (before >= 0 && place === before + 1) score += RUN;
    else score += GAP * Math.min(place - before - 1, LONGEST_GAP);
    if (candidate.starts[place]) score += WORD_START;
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
  const [before, letter] = [text.charAt(at - 1), text.charAt(at)];
  if (!isWord(letter)) return false;
  return !isWord(before) || (isUpper(letter) && !isUpper(before));
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
  if (/^[\n -~]*$/.test(lower)) return lower;
  return Array.from({ length: text.length }, (_, index) => foldLetter(text.charAt(index))).join('');
}

function foldLetter(letter: string): string {
  const plain = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.length === 1 ? plain : letter;
}

/** A bit for each of a-z, which all other letters share. */
function maskOf(letters: string): number {
  let mask = 0;
  // Only the last five bits of a code count in a shift.
  for (let at = 0; at < letters.length; at++) mask |= 1 << letters.charCodeAt(at);
  return mask;
}
