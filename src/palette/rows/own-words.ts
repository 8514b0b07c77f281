import { inTier, match, needle, scoreOf, TIER, tierOf, type Candidate, type Match } from '#commands/text/score.ts';

/**
 * Matches something that has words of its own within something larger: `paused` and `lifecycle paused` find a value of
 * the lifecycle, `lifecycle` alone does not. Every word must start a word of either, and at least one a word of its
 * own.
 */
export function matchOwn(own: Candidate, around: Candidate, query: string): Match | undefined {
  const whole = match(own, needle(query));
  if (whole && tierOf(whole.score) >= TIER.words) return whole;
  const words = query.split(/\s+/).filter(Boolean);
  const isOwn = (word: string): boolean => startsWord(own, word);
  const owned = words.filter(isOwn).join(' ');
  const others = words.filter((word) => !isOwn(word)).join(' ');
  if (owned === '' || others === '' || !startsWord(around, others)) return undefined;
  const part = match(own, needle(owned));
  return part && { score: inTier(TIER.words, 0), ranges: part.ranges };
}

function startsWord(candidate: Candidate, words: string): boolean {
  const score = scoreOf(candidate, needle(words));
  return score !== undefined && tierOf(score) >= TIER.words;
}
