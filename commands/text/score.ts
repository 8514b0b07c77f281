import { fold, isWordCharacter, isWordStart, maskOf } from './characters.ts';

/**
 * Text prepared for scoring, with its folded letters, their bit mask, and the word starts. The label and the other
 * names of the same thing are phrases, each on its own line.
 */
export interface Candidate {
  readonly text: string;
  /** Folded letter by letter, so positions match those in `text`. Each phrase ends with a line break. */
  readonly letters: string;
  readonly mask: number;
  /** 1 for each letter that starts a word. */
  readonly startFlags: Uint8Array;
  /** The positions of the letters that start words, in order. */
  readonly startPositions: readonly number[];
  /** The length of the label, which is the first phrase. */
  readonly label: number;
  /** Scattered letters match only before this position. Synonyms follow it because users type synonyms in full. */
  readonly synonymStart: number;
}

/** The query, prepared for scoring. Every word must match. */
export interface Needle {
  readonly words: readonly string[];
  /** The words, separated by single spaces. */
  readonly phrase: string;
  /** The words without spaces. */
  readonly joinedWords: string;
  readonly mask: number;
}

/** A half-open range, which includes the letter at `from` and excludes the letter at `to`. */
export type Range = readonly [from: number, to: number];

export interface Match {
  readonly score: number;
  readonly ranges: readonly Range[];
}

/**
 * The kinds of match, worst first. A higher tier always outweighs any score within a lower tier. Letters scattered over
 * a long title never rank above the start of a name, even if many of them start a word.
 */
export const TIER = {
  /** The letters occur in order. */
  scattered: 1,
  /** Every word occurs, at least one of them inside a word. */
  inside: 2,
  /** Letters of several words, with each run at the start of a word, such as `halg` for Halvorsen Geothermal. */
  initials: 3,
  /** The start of a word, with one letter missing, such as `devics`. */
  near: 4,
  /** Every word of the query starts a word of the text. */
  words: 5,
  /** A phrase starts with the query. */
  start: 6,
  /** A phrase equals the query. */
  exact: 7,
} as const;

export type Tier = (typeof TIER)[keyof typeof TIER];

/** The distance between tiers. Scores within a tier stay far below half of it. */
const STEP = 10_000;

// Weights within a tier. A run and a word start outweigh any gap.
const LETTER = 1;
const RUN = 6;
const WORD_START = 8;
const TEXT_START = 4;
const GAP = -0.3;
const MAX_GAP = 12;
/** Added if the match is in the label instead of another name. */
const LABEL = 3;
/** Added if the match ends with a complete word. */
const WHOLE_WORD = 3;
/**
 * Added for each letter of the phrase that was not typed. The total is less than {@link LABEL}, so a long label still
 * ranks above another name.
 */
const UNTYPED = -0.2;
const MAX_UNTYPED_LETTERS = 10;
/** Added for each letter of the label, to prefer the shorter of two otherwise equal labels. */
const LENGTH = -0.02;
/** Added if the words occur in a different order than typed. */
const OUT_OF_ORDER = -6;

/** The minimum length of a word with a missing letter. Shorter matches are usually different words. */
const MIN_NEAR_LENGTH = 4;
/** The maximum number of initials. Users do not type more. */
const MAX_INITIALS = 8;

/** The maximum length of a query. Further letters add no information. */
const MAX_QUERY_LENGTH = 32;

/** Prepares text for matching. `synonyms` are other names, one phrase per line, that match only as words. */
export function candidate(text: string, synonyms = ''): Candidate {
  const phrases = `${text}\n${synonyms}\n`;
  const letters = fold(phrases);
  const startFlags = new Uint8Array(letters.length);
  const startPositions: number[] = [];
  for (let index = 0; index < letters.length; index++) {
    if (!isWordStart(phrases, index)) continue;
    startFlags[index] = 1;
    startPositions.push(index);
  }
  const mask = maskOf(letters);
  return {
    text,
    letters,
    mask,
    startFlags,
    startPositions,
    label: letters.indexOf('\n'),
    synonymStart: text.length,
  };
}

export function needle(query: string): Needle {
  const words = fold(query.slice(0, MAX_QUERY_LENGTH)).split(/\s+/).filter(Boolean);
  const joinedWords = words.join('');
  return { words, phrase: words.join(' '), joinedWords, mask: maskOf(joinedWords) };
}

/** Returns the tier of a score. */
export function tierOf(score: number): Tier {
  return Math.floor(score / STEP) as Tier;
}

/** Returns the part of a score within its tier. */
export function withinTier(score: number): number {
  return score - inTier(tierOf(score), 0);
}

/** Scores a candidate for a query. A higher score is better. Returns undefined if the letters don't occur in order. */
export function scoreOf(candidate: Candidate, query: Needle): number | undefined {
  return find(candidate, query);
}

/** Returns the score with the ranges of matching letters, for highlighting. */
export function match(candidate: Candidate, query: Needle): Match | undefined {
  const matched: number[] = [];
  const score = find(candidate, query, matched);
  return score === undefined ? undefined : { score, ranges: rangesOf(matched) };
}

/** Returns the score of a match within a tier. `score` can be negative and must stay far below half of a tier. */
export function inTier(tier: Tier, score: number): number {
  return tier * STEP + STEP / 2 + score;
}

/** Adds the positions of the matched letters to `matched`, if it is given. */
function find(candidate: Candidate, query: Needle, matched?: number[]): number | undefined {
  if ((query.mask & ~candidate.mask) !== 0) return undefined;
  const length = LENGTH * candidate.label;
  if (query.words.length === 0) return inTier(TIER.scattered, length);
  const phrase = findPhrase(candidate, query.phrase, matched);
  // A single word is the same as the phrase.
  const exactScore = phrase ?? (query.words.length > 1 ? findWords(candidate, query.words, matched) : undefined);
  if (exactScore !== undefined) return exactScore + length;
  const looseScore = findNear(candidate, query.joinedWords, matched) ?? findLoose(candidate, query, matched);
  return looseScore === undefined ? undefined : looseScore + length;
}

/**
 * Finds the best position of a contiguous phrase. Returns undefined if there is none.
 */
function findPhrase(candidate: Candidate, phrase: string, matched?: number[]): number | undefined {
  const { letters, startPositions } = candidate;
  const first = letters.indexOf(phrase);
  if (first < 0) return undefined;
  let best = -1;
  let bestPosition = -1;
  const code = phrase.charCodeAt(0);
  // Check word starts first, because they are few and score higher than positions inside a word.
  for (const position of startPositions) {
    if (letters.charCodeAt(position) !== code || !letters.startsWith(phrase, position)) continue;
    const score = phraseScore(candidate, phrase, position);
    if (score <= best) continue;
    best = score;
    bestPosition = position;
  }
  for (let position = bestPosition < 0 ? first : -1; position >= 0; position = letters.indexOf(phrase, position + 1)) {
    const score = phraseScore(candidate, phrase, position);
    if (score <= best) continue;
    best = score;
    bestPosition = position;
  }
  mark(phrase, bestPosition, matched);
  return best;
}

function phraseScore({ letters, startFlags, label }: Candidate, phrase: string, position: number): number {
  const end = position + phrase.length;
  const startsPhrase = position === 0 || letters.charCodeAt(position - 1) === 10;
  const isPhraseEnd = letters[end] === '\n';
  let score = position < label ? LABEL : 0;
  if (!startsPhrase && !isWordCharacter(letters.charAt(end))) score += WHOLE_WORD;
  if (startsPhrase && isPhraseEnd) return inTier(TIER.exact, score);
  if (startsPhrase)
    return inTier(TIER.start, score + UNTYPED * Math.min(restLength(letters, end), MAX_UNTYPED_LETTERS));
  return inTier(startFlags[position] ? TIER.words : TIER.inside, score);
}

/** Counts the letters in a phrase after the typed part. */
function restLength(letters: string, from: number): number {
  return letters.indexOf('\n', from) - from;
}

/** Finds each word separately, preferably at a word start. Returns undefined if a word doesn't occur. */
function findWords(candidate: Candidate, words: readonly string[], matched?: number[]): number | undefined {
  let tier: Tier = TIER.words;
  let score = 0;
  let orderPenalty = 0;
  let before = -1;
  const positions: number[] = [];
  for (const word of words) {
    const firstIndex = candidate.letters.indexOf(word);
    if (firstIndex < 0) return undefined;
    // A query word inside a word decides the tier, so the remaining query words need no better position.
    const start =
      tier === TIER.words ? (startOf(candidate, word, before + 1) ?? startOf(candidate, word, firstIndex)) : undefined;
    const position = start ?? firstIndex;
    if (start === undefined) tier = TIER.inside;
    if (position < before) orderPenalty = OUT_OF_ORDER;
    if (position < candidate.label) score += LABEL / words.length;
    if (!isWordCharacter(candidate.letters.charAt(position + word.length))) score += WHOLE_WORD / words.length;
    before = position;
    positions.push(position);
  }
  words.forEach((word, index) => mark(word, positions[index] ?? 0, matched));
  return inTier(tier, score + orderPenalty);
}

/** Returns the position of the first word at or after `from` that starts with the given word. */
function startOf({ letters, startFlags }: Candidate, word: string, from: number): number | undefined {
  for (let position = letters.indexOf(word, from); position >= 0; position = letters.indexOf(word, position + 1)) {
    if (startFlags[position]) return position;
  }
  return undefined;
}

/**
 * Finds a word with one letter missing, at the position with the fewest letters after it. Returns undefined if there is
 * none.
 */
function findNear(candidate: Candidate, word: string, matched?: number[]): number | undefined {
  if (word.length < MIN_NEAR_LENGTH) return undefined;
  const { letters, startPositions, synonymStart } = candidate;
  let best = -Infinity;
  let bestIndex = -1;
  let bestGap = 0;
  for (const index of startPositions) {
    if (index >= synonymStart) break;
    const gap = gapAt(letters, index, word);
    if (gap === 0) continue;
    const remainingLength = restLength(letters, index + word.length + 1);
    const startsPhrase = index === 0 || letters.charCodeAt(index - 1) === 10;
    const score = (startsPhrase ? LABEL : 0) + UNTYPED * Math.min(remainingLength, MAX_UNTYPED_LETTERS);
    if (score <= best) continue;
    best = score;
    bestIndex = index;
    bestGap = gap;
  }
  if (bestIndex < 0) return undefined;
  mark(word.slice(0, bestGap), bestIndex, matched);
  mark(word.slice(bestGap), bestIndex + bestGap + 1, matched);
  return inTier(TIER.near, best);
}

/** Returns the number of letters before the missing letter, or 0 unless exactly one letter within a word is missing. */
function gapAt(letters: string, from: number, word: string): number {
  let gap = 0;
  // The line break after a phrase does not occur in words, so it ends the loop.
  while (letters[from + gap] === word[gap]) gap++;
  const missingLetter = letters.charAt(from + gap);
  return isWordCharacter(missingLetter) && letters.startsWith(word.slice(gap), from + gap + 1) ? gap : 0;
}

/** Finds scattered letters, as one word or word by word. */
function findLoose(candidate: Candidate, { words, joinedWords }: Needle, matched?: number[]): number | undefined {
  const wholeScore = align(candidate, joinedWords, matched);
  if (wholeScore !== undefined) return wholeScore;
  let score = OUT_OF_ORDER;
  for (const word of words) {
    const wordScore = align(candidate, word, matched, false);
    if (wordScore === undefined) return undefined;
    score += withinTier(wordScore);
  }
  return inTier(TIER.scattered, score);
}

function mark(phrase: string, from: number, matched?: number[]): void {
  if (!matched) return;
  for (let index = 0; index < phrase.length; index++) if (phrase[index] !== ' ') matched.push(from + index);
}

// Reused buffers, so scoring thousands of strings per keystroke allocates no memory.
const last = new Int32Array(MAX_QUERY_LENGTH);
const leftmost = new Int32Array(MAX_QUERY_LENGTH);
const byRuns = new Int32Array(MAX_QUERY_LENGTH);
const byStarts = new Int32Array(MAX_QUERY_LENGTH);

/**
 * Tries several alignments of the letters. The first continues each run and then jumps to the next word start, the
 * second prefers word starts, and the third uses the leftmost letters. `last` prevents an alignment from passing the
 * point where the remaining letters no longer fit. An alignment reads each letter of the text a bounded number of
 * times, so no query is slow. With `initials`, also checks whether every run starts a word.
 */
function align(candidate: Candidate, query: string, matched?: number[], initials = true): number | undefined {
  if (!findLast(candidate, query)) return undefined;
  const runScore = alignBy(candidate, query, byRuns, 'run');
  if (initials && startsWords(candidate, byRuns, query.length))
    return finishAlignment(TIER.initials, runScore, byRuns, query, matched);
  if (initials && query.length <= MAX_INITIALS) {
    const startScore = alignBy(candidate, query, byStarts, 'start');
    if (startsWords(candidate, byStarts, query.length))
      return finishAlignment(TIER.initials, startScore, byStarts, query, matched);
  }
  const leftmostScore = alignBy(candidate, query, leftmost, 'leftmost');
  if (runScore >= leftmostScore) return finishAlignment(TIER.scattered, runScore, byRuns, query, matched);
  return finishAlignment(TIER.scattered, leftmostScore, leftmost, query, matched);
}

function finishAlignment(tier: Tier, score: number, positions: Int32Array, query: string, matched?: number[]): number {
  matched?.push(...positions.subarray(0, query.length));
  return inTier(tier, score);
}

/** True if each run of letters starts a word. */
function startsWords({ startFlags }: Candidate, positions: Int32Array, length: number): boolean {
  for (let index = 0; index < length; index++) {
    const position = positions[index] ?? 0;
    if (!startFlags[position] && positions[index - 1] !== position - 1) return false;
  }
  return true;
}

/** Finds the last possible position of each query letter. Returns false if the query does not match. */
function findLast({ letters, synonymStart }: Candidate, query: string): boolean {
  let position = synonymStart;
  for (let index = query.length - 1; index >= 0; index--) {
    if (position <= 0) return false;
    position = letters.lastIndexOf(query.charAt(index), position - 1);
    if (position < 0) return false;
    last[index] = position;
  }
  return true;
}

function alignBy(
  { letters, startFlags, startPositions }: Candidate,
  query: string,
  positions: Int32Array,
  strategy: 'run' | 'start' | 'leftmost',
): number {
  let score = 0;
  let before = -1;
  /** The first word start after `before`. */
  let nextStart = 0;
  for (let index = 0; index < query.length; index++) {
    const code = query.charCodeAt(index);
    let position = -1;
    const runScore = letters.charCodeAt(before + 1) === code;
    if (strategy === 'start' || (strategy === 'run' && !runScore)) {
      while ((startPositions[nextStart] ?? Infinity) <= before) nextStart++;
      const limit = last[index] ?? 0;
      for (let start = nextStart; position < 0; start++) {
        const wordStart = startPositions[start] ?? Infinity;
        if (wordStart > limit) break;
        if (letters.charCodeAt(wordStart) === code) position = wordStart;
      }
    }
    if (position < 0) position = letters.indexOf(query.charAt(index), before + 1);
    score += LETTER;
    if (before >= 0 && position === before + 1) score += RUN;
    else score += GAP * Math.min(position - before - 1, MAX_GAP);
    if (startFlags[position]) score += WORD_START;
    if (position === 0) score += TEXT_START;
    positions[index] = position;
    before = position;
  }
  return score;
}

function rangesOf(positions: readonly number[]): readonly Range[] {
  const ranges: [number, number][] = [];
  for (const position of [...new Set(positions)].sort((a, b) => a - b)) {
    const lastRange = ranges.at(-1);
    if (lastRange && lastRange[1] === position) lastRange[1]++;
    else ranges.push([position, position + 1]);
  }
  return ranges;
}
