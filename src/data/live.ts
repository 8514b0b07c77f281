import { fromBinary, toBinary } from '@bufbuild/protobuf';

import { failureOf, isAbort } from '#commands/core/errors';
import { EventSchema, type Event } from '#proto/hiber/event_pb';
import { EventService } from '#proto/hiber/event_service_pb';

import { connectionAtom, type Connection } from '../state/connection.ts';
import { store } from '../state/store.ts';
import { api } from './transport.ts';

/** Reconnecting: 1 s doubling, at most 30 s (spec 9). */
const BASE_MS = 1000;
const MAX_MS = 30_000;

type Said = { readonly event: Uint8Array } | { readonly connection: Connection } | { readonly ask: true };

/**
 * The events of one organization as they happen. All tabs of a person share one stream (contract: one stream per user): the tab that holds
 * the lock reads it and passes on what it hears; when it closes, the next one takes over.
 * @returns a function that stops listening.
 */
export function listen(userId: string, organization: string, onEvent: (event: Event) => void): () => void {
  const name = `quarterdeck-events:${userId}:${organization}`;
  const channel = new BroadcastChannel(name);
  const stop = new AbortController();
  let leading = false;
  let connection: Connection = 'connecting';

  const hear = (said: Said): void => {
    if ('event' in said) onEvent(fromBinary(EventSchema, said.event));
    else if ('connection' in said) store.set(connectionAtom, said.connection);
    else if (leading) channel.postMessage({ connection } satisfies Said);
  };
  const tell = (said: Said): void => {
    if ('connection' in said) connection = said.connection;
    channel.postMessage(said);
    hear(said);
  };
  channel.onmessage = ({ data }: MessageEvent<Said>) => hear(data);
  channel.postMessage({ ask: true } satisfies Said);

  navigator.locks
    .request(name, { signal: stop.signal }, async () => {
      leading = true;
      await lead(organization, stop.signal, tell);
    })
    .catch((error: unknown) => {
      if (!isAbort(error)) throw error;
    });

  return () => {
    stop.abort();
    channel.close();
  };
}

async function lead(organization: string, signal: AbortSignal, tell: (said: Said) => void): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      const stream = api(EventService).stream(
        { organization },
        { signal, onHeader: () => tell({ connection: 'live' }) },
      );
      for await (const event of stream) {
        attempt = 0;
        tell({ event: toBinary(EventSchema, event) });
      }
    } catch (error) {
      if (signal.aborted) return;
      // A stream that may not be opened will not open by trying again; anything else is the connection's trouble.
      if (['permission_denied', 'unauthenticated', 'unimplemented'].includes(failureOf(error).code)) return;
    }
    if (signal.aborted) return;
    tell({ connection: 'reconnecting' });
    await pause(Math.min(BASE_MS * 2 ** attempt, MAX_MS), signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
