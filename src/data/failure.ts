import { failureOf } from '#commands/model/errors.ts';
import { message, type Message } from '#commands/text/message.ts';
import { API_URL } from '#src/net/config.ts';
import { isNotLoaded, NOT_LOADED } from '#src/state/not-loaded.ts';

/**
 * Returns the message for a failed command. If the command needs a part of the console that cannot be loaded, it has
 * not reached the server.
 */
export const commandFailure = (error: unknown): Message => (isNotLoaded(error) ? NOT_LOADED : failureOf(error).message);

/**
 * Returns the message for a failed load or plan. Unlike the message for a failed command (spec 8), it does not suggest
 * contacting support if the server is unreachable. Loads are retried, and the banner at the top shows when.
 */
export function lookupFailure(error: unknown): Message {
  const isAway = !isNotLoaded(error) && failureOf(error).code === 'unavailable';
  return isAway ? message('console:away.title', { host: new URL(API_URL).host }) : commandFailure(error);
}
