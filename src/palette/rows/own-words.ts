import { inTier, match, needle, scoreOf, TIER, tierOf, type Candidate, type Match } from '#commands/text/score.ts';

/**
 * Matches something by its own words within a context: `paused` and `lifecycle paused` find a value of the lifecycle,
 * `lifecycle` alone does not. Every word must start a word of either, and at least one must start an own word.
 */
export function matchOwn(own: Candidate, surroundings: Candidate, query: string): Match | undefined {
  const whole = match(own, needle(query));
  if (whole && tierOf(whole.score) >= TIER.words) return whole;
  const words = query.split(/\s+/).filter(Boolean);
  const isOwn = (word: string): boolean => startsWord(own, word);
  const ownPart = words.filter(isOwn).join(' ');
  const otherPart = words.filter((word) => !isOwn(word)).join(' ');
  if (ownPart === '' || otherPart === '' || !startsWord(surroundings, otherPart)) return undefined;
  const part = match(own, needle(ownPart));
  return part && { score: inTier(TIER.words, 0), ranges: part.ranges };
}

function startsWord(candidate: Candidate, words: string): boolean {
  const score = scoreOf(candidate, needle(words));
  return score !== undefined && tierOf(score) >= TIER.words;
}
