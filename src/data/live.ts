import { fromBinary, toBinary } from '@bufbuild/protobuf';

import { failureOf, isAbort } from '#commands/model/errors.ts';
import { EventSchema, type Event } from '#proto/gen/hiber/event_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { onReconnect } from '#src/net/reach.ts';
import { streamAtom, type Stream } from '#src/state/connection.ts';
import { store } from '#src/state/store.ts';

import { api } from './transport.ts';

/** The first reconnect delay (spec 9), which doubles with each attempt. */
const BASE_MS = 1000;
/** The maximum reconnect delay (spec 9). */
const MAX_MS = 30_000;

/**
 * The interval, in seconds, of the keep-alive events (type DEFAULT) that a client can request from our server, which
 * sends the first one immediately. Other servers do not send them. After the first one, a silence of twice the interval
 * means that the connection is dead.
 */
const KEEP_ALIVE_S = 20;
const KEEP_ALIVE_HEADER = 'quarterdeck-keep-alive';

type TabMessage =
  | { readonly event: Uint8Array }
  | { readonly stream: Stream }
  | { readonly missed: true }
  | { readonly query: true };

/**
 * Listens to one organization's events. All of a user's tabs share one stream (contract: one stream per user). The
 * tab that holds the lock reads it and broadcasts its events. When that tab closes, another one takes over. `onMissed`
 * is called whenever a stream opens, because earlier events, such as those during a gap, may have been missed.
 *
 * @returns a function that stops listening.
 */
export function listenForEvents(
  userId: string,
  organization: string,
  onEvent: (event: Event) => void,
  onMissed: () => void,
): () => void {
  const name = `quarterdeck-events:${userId}:${organization}`;
  const channel = new BroadcastChannel(name);
  const stop = new AbortController();
  let isLeader = false;
  let stream: Stream = 'connecting';

  const receive = (message: TabMessage): void => {
    if ('event' in message) onEvent(fromBinary(EventSchema, message.event));
    else if ('stream' in message) store.set(streamAtom, message.stream);
    else if ('missed' in message) onMissed();
    else if (isLeader) channel.postMessage({ stream } satisfies TabMessage);
  };
  const broadcast = (message: TabMessage): void => {
    if ('stream' in message) stream = message.stream;
    channel.postMessage(message);
    receive(message);
  };
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => receive(data);
  channel.postMessage({ query: true } satisfies TabMessage);

  navigator.locks
    .request(name, { signal: stop.signal }, async () => {
      isLeader = true;
      await readAndBroadcast(organization, stop.signal, broadcast);
    })
    .catch((error: unknown) => {
      if (!isAbort(error)) throw error;
    });

  return () => {
    stop.abort();
    channel.close();
  };
}

async function readAndBroadcast(
  organization: string,
  signal: AbortSignal,
  broadcast: (message: TabMessage) => void,
): Promise<void> {
  const onLive = (): void => {
    broadcast({ stream: 'live' });
    broadcast({ missed: true });
  };
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      await readStream(organization, signal, onLive, (event) => {
        attempt = 0;
        if (event.type !== EventType.DEFAULT) broadcast({ event: toBinary(EventSchema, event) });
      });
    } catch (error) {
      if (signal.aborted) return;
      // Retrying doesn't help if the server denies the stream. Anything else is a connection problem.
      if (['permission_denied', 'unauthenticated', 'unimplemented'].includes(failureOf(error).code)) return;
    }
    if (signal.aborted) return;
    broadcast({ stream: 'reconnecting' });
    if (!navigator.onLine) await waitUntilOnline(signal);
    await pause(Math.min(BASE_MS * 2 ** attempt, MAX_MS), signal);
  }
}

/**
 * Reads until the stream ends.
 *
 * @throws if the stream breaks or falls silent, or if the browser goes offline
 */
async function readStream(
  organization: string,
  signal: AbortSignal,
  onLive: () => void,
  onEvent: (event: Event) => void,
): Promise<void> {
  const connectionLost = new AbortController();
  const fail = (): void => connectionLost.abort();
  window.addEventListener('offline', fail);
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;
  let isLive = false;
  const markLive = (): void => {
    if (!isLive) onLive();
    isLive = true;
  };
  try {
    const stream = api(EventService).stream(
      // The server sends the resolution of an event only to clients that include resolved events.
      { organization, selection: { includeResolvedEvents: true } },
      {
        signal: AbortSignal.any([signal, connectionLost.signal]),
        headers: { [KEEP_ALIVE_HEADER]: `${KEEP_ALIVE_S}` },
        onHeader: markLive,
      },
    );
    for await (const event of stream) {
      markLive();
      if (silenceTimer !== undefined || event.type === EventType.DEFAULT) {
        clearTimeout(silenceTimer);
        silenceTimer = setTimeout(fail, 2 * KEEP_ALIVE_S * 1000);
      }
      onEvent(event);
    }
  } finally {
    clearTimeout(silenceTimer);
    window.removeEventListener('offline', fail);
  }
}

/** Resolves when the browser is online. */
function waitUntilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener('online', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => resolve());
  });
}

/** Waits for `ms`, or until the server is reachable again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const stop = onReconnect(end);
    signal.addEventListener('abort', end, { once: true });
  });
}
