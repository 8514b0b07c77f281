import { failureOf } from '#commands/model/errors.ts';
import { message, type Message } from '#commands/text/message.ts';
import { API_URL } from '#src/net/config.ts';

/**
 * The message for a failed load or plan. An unreachable server is no reason to contact support, unlike the sentence of
 * spec 8 for a failed command: loads are retried, and the band at the top says when.
 */
export function lookupFailure(error: unknown): Message {
  const { code, message: text } = failureOf(error);
  return code === 'unavailable' ? message('console:away.title', { host: new URL(API_URL).host }) : text;
}
