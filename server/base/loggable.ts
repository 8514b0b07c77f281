/** Query errors repeat their parameters after the statement, and a parameter may be a secret. */
export const withoutParameters = (text: string): string => text.replace(/\nparams: .*/s, '');

/** Bytes of a message or a field in the log. Whoever looks into a failure needs no more of a statement than this. */
const MAX_LOGGED = 2048;

/** Cuts a text for the log. It counts UTF-16 units, which is near enough. */
export const cut = (text: string): string =>
  text.length <= MAX_LOGGED ? text : `${text.slice(0, MAX_LOGGED)}… (${text.length} characters)`;

/** An error that has itself among its causes ends here too. */
const MAX_CAUSES = 10;

/** What was thrown and everything that caused it, outermost first. */
export function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let next = error; next !== undefined && next !== null && chain.length < MAX_CAUSES;) {
    if (chain.includes(next)) break;
    chain.push(next);
    next = typeof next === 'object' && 'cause' in next ? next.cause : undefined;
  }
  return chain;
}

/** What may be logged of anything that was thrown: its message and those of its causes. */
export function loggable(error: unknown): string {
  const [first = 'thrown: undefined', ...causes] = causesOf(error).map(messageOf);
  return causes.length === 0 ? first : `${first} (${causes.join(': ')})`;
}

/**
 * The message and, for errors of the database or the system, the code. Objects that are no errors say what they can.
 */
function messageOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return `thrown: ${typeof thrown}`;
  const { message, code, errno } = thrown as { message?: unknown; code?: unknown; errno?: unknown };
  const text = typeof message === 'string' ? cut(withoutParameters(message)) : `thrown: ${thrown.constructor?.name}`;
  const number = [code, errno].find((item) => typeof item === 'string' || typeof item === 'number');
  return number === undefined || text.includes(String(number)) ? text : `${text} [${number}]`;
}
