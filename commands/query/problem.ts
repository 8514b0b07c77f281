import { CommandError } from '#commands/model/errors.ts';
import type { Message } from '#commands/text/message.ts';

/** A problem with part of the text. The positions are offsets into the text. */
export interface Problem {
  readonly from: number;
  readonly to: number;
  readonly message: Message;
  /** Suggested replacements for `from`..`to`, the most likely first. */
  readonly fixes?: readonly string[];
}

export function createProblem(
  { from, to }: Pick<Problem, 'from' | 'to'>,
  problemMessage: Message,
  fixes: readonly string[] = [],
): Problem {
  return { from, to, message: problemMessage, ...(fixes.length > 0 ? { fixes } : {}) };
}

/** An error inside the parser. The parser catches it and reports a {@link Problem}. */
export class ParseError extends Error {
  readonly userMessage: Message;
  readonly fixes: readonly string[];
  constructor(message: Message, fixes: readonly string[] = []) {
    super(message.key);
    this.userMessage = message;
    this.fixes = fixes;
  }
}

/** An invalid filter, with the position of the problem in its text. */
export class FilterError extends CommandError {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message);
    this.name = 'FilterError';
    this.problem = problem;
  }
}

/** Returns one corrected text for each fix of a problem. */
export function applyFixes(text: string, { from, to, fixes = [] }: Problem): readonly string[] {
  return fixes.map((fix) => text.slice(0, from) + fix + text.slice(to));
}
