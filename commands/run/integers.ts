import { CommandError } from '#commands/model/errors.ts';
import { message, type Message } from '#commands/text/message.ts';

/**
 * Returns the message for a number that is not a safe integer (spec 5 and 8).
 */
export function integerProblem(value: number): Message | undefined {
  if (value > Number.MAX_SAFE_INTEGER) return message('core:validation.tooLarge');
  if (value < Number.MIN_SAFE_INTEGER) return message('core:validation.tooSmall');
  return Number.isInteger(value) ? undefined : message('core:validation.integer');
}

/**
 * Parses a typed 64-bit id.
 *
 * @throws CommandError for any other text
 */
export function readId(text: string): bigint {
  const value = text.trim() === '' ? NaN : Number(text);
  const problem = integerProblem(value);
  if (problem) throw new CommandError(problem);
  return BigInt(value);
}
