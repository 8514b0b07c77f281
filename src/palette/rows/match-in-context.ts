import { inTier, match, needle, scoreOf, TIER, tierOf, type Candidate, type Match } from '#commands/text/score.ts';

/**
 * Matches a candidate by its own words, optionally with words from its context: `paused` and `lifecycle paused` find a
 * value of the lifecycle, `lifecycle` alone does not. Each word of the query must start a word of the candidate or its
 * context, and at least one must start a word of the candidate. One letter may be missing, as in commands.
 */
export function matchInContext(candidate: Candidate, context: Candidate, query: string): Match | undefined {
  const whole = match(candidate, needle(query));
  if (whole && tierOf(whole.score) >= TIER.near) return whole;
  const words = query.split(/\s+/).filter(Boolean);
  const isOwn = (word: string): boolean => startsWord(candidate, word);
  const ownPart = words.filter(isOwn).join(' ');
  const otherPart = words.filter((word) => !isOwn(word)).join(' ');
  if (ownPart === '' || otherPart === '' || !startsWord(context, otherPart)) return undefined;
  const part = match(candidate, needle(ownPart));
  return part && { score: inTier(tierOf(part.score) < TIER.words ? TIER.near : TIER.words, 0), ranges: part.ranges };
}

function startsWord(candidate: Candidate, words: string): boolean {
  const score = scoreOf(candidate, needle(words));
  return score !== undefined && tierOf(score) >= TIER.near;
}
