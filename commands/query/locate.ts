import { UnknownValue, type CommandError } from '#commands/model/errors.ts';
import type { Term } from '#commands/model/filter.ts';
import { Exclusion } from './exclusion.ts';
import type { ParsedFilter } from './parse.ts';
import { FilterError, problemOf } from './problem.ts';
import { inText, quoteValue, type Token } from './tokens.ts';

/**
 * Finds the place in a filter's text of what looking its names up has refused, with the corrected text; else it is
 * about all of it.
 */
export function locate(error: CommandError, parsed: ParsedFilter): FilterError {
  return placed(error, parsed) ?? new FilterError(problemOf({ from: 0, to: parsed.text.length }, error.userMessage));
}

function placed(error: CommandError, { text, tokens }: ParsedFilter): FilterError | undefined {
  const terms = tokens.flatMap(({ token, part }) => ('term' in part ? [{ token, term: part.term }] : []));
  if (error instanceof Exclusion) {
    const mine = terms.filter(({ term }) => term.key === error.key && !term.negated).map(({ token }) => token);
    return mine.length > 1 ? new FilterError(joined(error, text, mine)) : undefined;
  }
  if (!(error instanceof UnknownValue)) return undefined;
  for (const { token, term } of terms) {
    const piece = token.pieces.find((item) => holds(term, item.text, error.value));
    if (!piece) continue;
    const fixes = error.near.map(
      (value) => text.slice(token.from, piece.from) + quoteValue(value) + text.slice(piece.to, token.to),
    );
    return new FilterError(problemOf(token, error.userMessage, fixes));
  }
  return undefined;
}

/** A value as typed is the one refused, in any case: keys may have written it in their own way. */
function holds({ test }: Term, typed: string, refused: string): boolean {
  return 'values' in test && typed.toLowerCase() === refused.toLowerCase();
}

/** One term in the place of the first; the others go, and what stood between them stays. */
function joined(error: Exclusion, text: string, tokens: readonly Token[]) {
  const [first, last] = [tokens[0]!, tokens.at(-1)!];
  const kept = tokens.slice(1).map((token, index) => inText(text, { from: tokens[index]!.to, to: token.from }).trim());
  const fix = [error.either, ...kept].filter((part) => part !== '').join(' ');
  return problemOf({ from: first.from, to: last.to }, error.userMessage, [fix]);
}
