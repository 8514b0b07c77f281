import { failureOf } from '#commands/model/errors.ts';
import { message, type Message } from '#commands/text/message.ts';
import { API_URL } from '#src/net/config.ts';
import { isNotLoaded, NOT_LOADED } from '#src/state/not-loaded.ts';

/**
 * Returns the message for a failed load or plan. Unlike the message for a failed command (spec 8), it does not suggest
 * contacting support if the server is unreachable. Loads are retried, and the banner at the top shows when.
 */
export function lookupFailure(error: unknown): Message {
  if (isNotLoaded(error)) return NOT_LOADED;
  const { code, message: userMessage } = failureOf(error);
  return code === 'unavailable' ? message('console:away.title', { host: new URL(API_URL).host }) : userMessage;
}
