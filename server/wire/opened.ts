import { createContextKey, type HandlerContext } from '@connectrpc/connect';

/** Set by the transport. Does nothing by default: tests without a network have no headers to send. */
export const openedKey = createContextKey<(headers: Headers) => void>(() => undefined, {
  description: 'sends the response headers ahead of the first message',
});

/**
 * Sends the response headers of a stream immediately. A stream calls this as soon as it has subscribed because the
 * client misses nothing from then on. A stream that is denied before then gets an error response.
 */
export const announceOpen = (context: HandlerContext): void => context.values.get(openedKey)(context.responseHeader);
