import { UnknownValueError, type CommandError } from '#commands/model/errors.ts';
import type { Term } from '#commands/model/filter.ts';

import { ExclusionError } from './exclusion.ts';
import type { ParsedFilter } from './parse.ts';
import { FilterError, createProblem } from './problem.ts';
import { quoteValue } from './quote.ts';
import { textOf, type Token } from './tokens.ts';

/**
 * Adds fixes and the position of the rejected value or terms to a lookup error. If the text doesn't contain them, the
 * error covers the whole text.
 */
export function locate(error: CommandError, parsed: ParsedFilter): FilterError {
  return (
    locateInText(error, parsed) ??
    new FilterError(createProblem({ from: 0, to: parsed.text.length }, error.userMessage))
  );
}

function locateInText(error: CommandError, { text, tokens }: ParsedFilter): FilterError | undefined {
  const terms = tokens.flatMap(({ token, part }) => ('term' in part ? [{ token, term: part.term }] : []));
  if (error instanceof ExclusionError) {
    const contradictoryTokens = terms
      .filter(({ term }) => term.key === error.key && !term.negated)
      .map(({ token }) => token);
    return contradictoryTokens.length > 1 ? new FilterError(mergeTerms(error, text, contradictoryTokens)) : undefined;
  }
  if (!(error instanceof UnknownValueError)) return undefined;
  for (const { token, term } of terms) {
    const piece = token.pieces.find((item) => hasValue(term, item.text, error.value));
    if (!piece) continue;
    const fixes = error.nearMatches.map(
      (value) => text.slice(token.from, piece.from) + quoteValue(value) + text.slice(piece.to, token.to),
    );
    return new FilterError(createProblem(token, error.userMessage, fixes));
  }
  return undefined;
}

/** Compares a typed value with the rejected value, ignoring case, because keys may normalize values. */
function hasValue({ test }: Term, typedValue: string, rejectedValue: string): boolean {
  return 'values' in test && typedValue.toLowerCase() === rejectedValue.toLowerCase();
}

/** Suggests one term that replaces all given terms, and keeps any text between them. */
function mergeTerms(error: ExclusionError, text: string, tokens: readonly Token[]) {
  const [first, last] = [tokens[0]!, tokens.at(-1)!];
  const textBetween = tokens
    .slice(1)
    .map((token, index) => textOf(text, { from: tokens[index]!.to, to: token.from }).trim());
  const fix = [error.anyOfTerm, ...textBetween].filter((part) => part !== '').join(' ');
  return createProblem({ from: first.from, to: last.to }, error.userMessage, [fix]);
}
