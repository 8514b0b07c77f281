import { failureOf } from '#commands/model/errors.ts';
import { message, type Message } from '#commands/text/message.ts';

import { API_URL } from '#src/net/config.ts';

/**
 * Why something could not be loaded or planned. A server out of reach is no reason to contact support, whatever the
 * sentence of spec 8 says, which what a command failed with has: loading is tried again, and the band at the top says
 * when.
 */
export function lookupFailure(error: unknown): Message {
  const { code, message: text } = failureOf(error);
  return code === 'unavailable' ? message('console:away.title', { host: new URL(API_URL).host }) : text;
}
