import { fromBinary, toBinary } from '@bufbuild/protobuf';

import { failureOf, isAbort } from '#commands/model/errors.ts';
import { EventSchema, type Event } from '#proto/gen/hiber/event_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';

import { streamAtom, type Stream } from '#src/state/connection.ts';
import { store } from '#src/state/store.ts';
import { onReturn } from '#src/net/reach.ts';
import { api } from './transport.ts';

/** Reconnecting: 1 s doubling, at most 30 s (spec 9). */
const BASE_MS = 1000;
const MAX_MS = 30_000;

/**
 * Our server shows life this often to a client that asks for it, as an event of type DEFAULT, the first one as soon as
 * it listens; another server sends events only. After the first sign of life, silence of twice as long means that the
 * connection is dead.
 */
const BEAT_S = 20;
const KEEP_ALIVE_HEADER = 'quarterdeck-keep-alive';

type Said =
  | { readonly event: Uint8Array }
  | { readonly stream: Stream }
  | { readonly missed: true }
  | { readonly ask: true };

/**
 * The events of one organization as they happen. All tabs of a person share one stream (contract: one stream per user):
 * the tab that holds the lock reads it and passes on what it hears; when it closes, the next one takes over. `onMissed`
 * is called whenever a stream opens: what happened since the screen was read, or while there was no stream, nobody has
 * told.
 * @returns a function that stops listening.
 */
export function listen(
  userId: string,
  organization: string,
  onEvent: (event: Event) => void,
  onMissed: () => void,
): () => void {
  const name = `quarterdeck-events:${userId}:${organization}`;
  const channel = new BroadcastChannel(name);
  const stop = new AbortController();
  let leading = false;
  let stream: Stream = 'connecting';

  const hear = (message: Said): void => {
    if ('event' in message) onEvent(fromBinary(EventSchema, message.event));
    else if ('stream' in message) store.set(streamAtom, message.stream);
    else if ('missed' in message) onMissed();
    else if (leading) channel.postMessage({ stream } satisfies Said);
  };
  const tell = (message: Said): void => {
    if ('stream' in message) stream = message.stream;
    channel.postMessage(message);
    hear(message);
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

async function lead(organization: string, signal: AbortSignal, tell: (message: Said) => void): Promise<void> {
  const onLive = (): void => {
    tell({ stream: 'live' });
    tell({ missed: true });
  };
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      await readStream(organization, signal, onLive, (event) => {
        attempt = 0;
        if (event.type !== EventType.DEFAULT) tell({ event: toBinary(EventSchema, event) });
      });
    } catch (error) {
      if (signal.aborted) return;
      // A stream that may not be opened will not open by trying again; anything else is the connection's trouble.
      if (['permission_denied', 'unauthenticated', 'unimplemented'].includes(failureOf(error).code)) return;
    }
    if (signal.aborted) return;
    tell({ stream: 'reconnecting' });
    if (!navigator.onLine) await untilOnline(signal);
    await pause(Math.min(BASE_MS * 2 ** attempt, MAX_MS), signal);
  }
}

/** Reads until the stream ends; @throws when it breaks, falls silent, or the browser goes offline. */
async function readStream(
  organization: string,
  signal: AbortSignal,
  onLive: () => void,
  onEvent: (event: Event) => void,
): Promise<void> {
  const broken = new AbortController();
  const fail = (): void => broken.abort();
  window.addEventListener('offline', fail);
  let silence: ReturnType<typeof setTimeout> | undefined;
  let live = false;
  const alive = (): void => {
    if (!live) onLive();
    live = true;
  };
  try {
    const stream = api(EventService).stream(
      // Of an event that somebody resolved, only those hear who ask for resolved ones.
      { organization, selection: { includeResolvedEvents: true } },
      {
        signal: AbortSignal.any([signal, broken.signal]),
        headers: { [KEEP_ALIVE_HEADER]: `${BEAT_S}` },
        onHeader: alive,
      },
    );
    for await (const event of stream) {
      alive();
      if (silence !== undefined || event.type === EventType.DEFAULT) {
        clearTimeout(silence);
        silence = setTimeout(fail, 2 * BEAT_S * 1000);
      }
      onEvent(event);
    }
  } finally {
    clearTimeout(silence);
    window.removeEventListener('offline', fail);
  }
}

/** Until the browser says that it is online. */
function untilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener('online', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => resolve());
  });
}

/** Ends early when the server is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const stop = onReturn(end);
    signal.addEventListener('abort', end, { once: true });
  });
}
