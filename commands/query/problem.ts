import { CommandError } from '#commands/model/errors.ts';
import type { Message } from '#commands/text/message.ts';

/** What is wrong with a part of the text; positions are offsets into it. */
export interface Problem {
  readonly from: number;
  readonly to: number;
  readonly message: Message;
  /** What was probably meant instead of `from`..`to`, the likeliest first. */
  readonly fixes?: readonly string[];
}

export function problemOf(
  { from, to }: Pick<Problem, 'from' | 'to'>,
  text: Message,
  fixes: readonly string[] = [],
): Problem {
  return { from, to, message: text, ...(fixes.length > 0 ? { fixes } : {}) };
}

/** A refusal inside the parser; never leaves it. */
export class Refused extends Error {
  readonly userMessage: Message;
  readonly fixes: readonly string[];
  constructor(message: Message, fixes: readonly string[] = []) {
    super(message.key);
    this.userMessage = message;
    this.fixes = fixes;
  }
}

/** A filter that cannot be used, with the place of what is wrong in its text. */
export class FilterError extends CommandError {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message);
    this.name = 'FilterError';
    this.problem = problem;
  }
}

/** The whole texts that a problem's fixes make of a text. */
export function fixedTexts(text: string, { from, to, fixes = [] }: Problem): readonly string[] {
  return fixes.map((fix) => text.slice(0, from) + fix + text.slice(to));
}
