/** Removes the parameters that query errors repeat after the statement. They can contain secrets. */
export const withoutParameters = (text: string): string => text.replace(/\nparams: .*/s, '');

/** The maximum length of a message or field in the log. It leaves enough of a statement to investigate a failure. */
const MAX_LOGGED_LENGTH = 2048;

/** Truncates text for the log. Counts UTF-16 units, which is close enough. */
export const truncate = (text: string): string =>
  text.length <= MAX_LOGGED_LENGTH ? text : `${text.slice(0, MAX_LOGGED_LENGTH)}… (${text.length} characters)`;

/** The maximum number of causes to follow. */
const MAX_CAUSES = 10;

/** Returns the thrown value and all its causes, outermost first. */
export function listCauses(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let next = error; next !== undefined && next !== null && chain.length < MAX_CAUSES;) {
    if (chain.includes(next)) break;
    chain.push(next);
    next = typeof next === 'object' && 'cause' in next ? next.cause : undefined;
  }
  return chain;
}

/** Describes a thrown value for the log, with its message and the messages of its causes. */
export function describeError(error: unknown): string {
  const [first = 'thrown: undefined', ...causes] = listCauses(error).map(toMessage);
  return causes.length === 0 ? first : `${first} (${causes.join(': ')})`;
}

/**
 * Returns the message and, for errors from the database or the system, the code. Works even for objects that are not
 * errors.
 */
function toMessage(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return `thrown: ${typeof thrown}`;
  const { message, code, errno } = thrown as { message?: unknown; code?: unknown; errno?: unknown };
  const text =
    typeof message === 'string' ? truncate(withoutParameters(message)) : `thrown: ${thrown.constructor?.name}`;
  const errorCode = [code, errno].find((item) => typeof item === 'string' || typeof item === 'number');
  return errorCode === undefined || text.includes(String(errorCode)) ? text : `${text} [${errorCode}]`;
}
