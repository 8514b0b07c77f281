import { createContextKey, type HandlerContext } from '@connectrpc/connect';

/** Set by the transport; without a network (in a test) there are no headers to send ahead. */
export const openedKey = createContextKey<(headers: Headers) => void>(() => undefined, {
  description: 'sends the response headers ahead of the first message',
});

/**
 * Sends the response headers of a stream immediately. A stream calls this as soon as it is subscribed: from then on,
 * the client misses nothing. A stream that is refused before that still gets an error response.
 */
export const announceOpen = (context: HandlerContext): void => context.values.get(openedKey)(context.responseHeader);
