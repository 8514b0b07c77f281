import { inTier, match, needle, scoreOf, TIER, tierOf, type Candidate, type Match } from '#commands/text/score.ts';

/** Matches a candidate only by its own words, as in commands. One letter may be missing. */
export function matchAlone(candidate: Candidate, query: string): Match | undefined {
  const wholeMatch = match(candidate, needle(query));
  return wholeMatch && tierOf(wholeMatch.score) >= TIER.near ? wholeMatch : undefined;
}

/**
 * Matches a candidate by its own words, optionally with words from its context. For example, `paused` and `lifecycle
 * paused` find a lifecycle value, but `lifecycle` alone doesn't. Each query word must start a word of the candidate or
 * its context, and at least one must start a word of the candidate. One letter may be missing, as in commands.
 */
export function matchInContext(candidate: Candidate, context: Candidate, query: string): Match | undefined {
  const wholeMatch = matchAlone(candidate, query);
  if (wholeMatch) return wholeMatch;
  const words = query.split(/\s+/).filter(Boolean);
  const isOwn = (word: string): boolean => startsWord(candidate, word);
  const ownPart = words.filter(isOwn).join(' ');
  const otherPart = words.filter((word) => !isOwn(word)).join(' ');
  if (ownPart === '' || otherPart === '' || !startsWord(context, otherPart)) return undefined;
  const ownMatch = match(candidate, needle(ownPart));
  if (!ownMatch) return undefined;
  return { score: inTier(tierOf(ownMatch.score) < TIER.words ? TIER.near : TIER.words, 0), ranges: ownMatch.ranges };
}

function startsWord(candidate: Candidate, words: string): boolean {
  const score = scoreOf(candidate, needle(words));
  return score !== undefined && tierOf(score) >= TIER.near;
}
