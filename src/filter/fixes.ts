import { applyFixes, type Problem } from '#commands/query/problem.ts';

export interface Fix {
  /** The part that changes. */
  readonly label: string;
  readonly text: string;
}

/** Returns the fixes for a problem in the text. */
export function createFixes(text: string, problem: Problem): readonly Fix[] {
  return applyFixes(text, problem).map((fixedText, index) => ({
    label: problem.fixes?.[index] ?? fixedText,
    text: fixedText,
  }));
}
