import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';

import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import type { EventStreamRequest } from '#proto/gen/hiber/event_service_pb.ts';
import type { App } from '#server/app/app.ts';
import { forCaller } from '#server/db/pool/work.ts';
import { loadChildOrganizations } from '#server/domains/people/organization/child-organizations.ts';
import { createFeed, type Feed } from '#server/events/feed.ts';
import { type EventFilter, eventMatcher } from '#server/events/filter.ts';
import type { StoredEvent } from '#server/events/stored.ts';
import { onAccessChanged, accessExpiry } from '#server/session/access-changes.ts';
import { type Scope, scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { announceOpen } from '#server/wire/opened.ts';
import { presentTimestamp } from '#server/wire/present.ts';

import { resolveEventFilter } from './selection.ts';

/** The maximum number of queued events for a slow consumer, enough for several batches of events for 5,000 devices. */
const MAX_QUEUED_EVENTS = 25_000;

/**
 * The maximum number of streams per user. A user may have a console and a script open. Opening another ends the oldest
 * one, which has most likely been abandoned. The contract mentions one stream per user, but doesn't say what a second
 * one does.
 */
const MAX_STREAMS = 8;

/**
 * The maximum age of a stream. A stream also ends without an error when its API token, ID token, or support session
 * ends, and when its user's access changes. In that case, it first delivers the events recorded with that change.
 * Clients reopen the stream, as they do whenever it ends.
 */
const MAX_AGE_MS = 3_600_000;

/**
 * The contract has no keep-alive, and its clients expect only events, so keep-alive is off by default. A client that
 * sends this header, with an interval in seconds, receives Events of type DEFAULT that contain only a time. The first
 * arrives on subscription, and the client misses nothing from then on. Another follows after each interval, so proxies
 * keep the connection open and the client can detect a dead one.
 */
const KEEP_ALIVE_HEADER = 'quarterdeck-keep-alive';

type Streams = Map<string, Feed<Event>[]>;

/** Serves `EventService.Stream` and keeps track of the open streams per user. */
export function eventStream(app: App) {
  const streams: Streams = new Map();
  return async function* stream(request: EventStreamRequest, context: HandlerContext): AsyncGenerator<Event> {
    const caller = scope(context);
    const interval = readKeepAlive(context.requestHeader);
    const { filter, children } = await forCaller(
      context.signal,
      () => readRequest(app, caller, request),
      caller.organization,
    );
    const matches = filterFor(caller, filter);

    const feed = createFeed<Event>(
      MAX_QUEUED_EVENTS,
      () => new ConnectError('The stream fell behind. Open it again.', Code.ResourceExhausted),
    );
    const unregister = register(streams, caller.session.user.id, feed);
    const unsubscribe = app.bus.subscribe([caller.organization, ...children], {
      receive: (events) => feed.push(events.filter(matches).map(({ event }) => event)),
      onMiss: () => feed.end(new ConnectError('The stream missed some events. Open it again.', Code.Aborted)),
      onClose: () => feed.end(),
    });
    onAccessChanged(context, children, () => feed.end());
    const sendKeepAlive = () => feed.push([create(EventSchema, { time: presentTimestamp(app.now()) })]);
    announceOpen(context);
    if (interval) sendKeepAlive();
    const keepAliveTimer = interval ? setInterval(sendKeepAlive, interval * 1000) : undefined;
    const msUntilAccessEnds = (accessExpiry(context)?.getTime() ?? Infinity) - app.now().getTime();
    const expiryTimer = setTimeout(() => feed.end(), Math.min(MAX_AGE_MS, msUntilAccessEnds));
    // Clean up on the signal: nothing reads the feed after the caller hangs up, so `finally` may never run.
    let isOpen = true;
    const cleanUp = () => {
      if (!isOpen) return;
      isOpen = false;
      feed.end();
      clearInterval(keepAliveTimer);
      clearTimeout(expiryTimer);
      unsubscribe();
      unregister();
    };
    context.signal.addEventListener('abort', cleanUp, { once: true });
    if (context.signal.aborted) cleanUp();
    try {
      yield* feed;
    } finally {
      context.signal.removeEventListener('abort', cleanUp);
      cleanUp();
    }
  };
}

async function readRequest(
  app: App,
  caller: Scope,
  { selection, childOrganizations: childFilter }: EventStreamRequest,
) {
  const filter = await resolveEventFilter(app.db.orm, caller, selection, app.now());
  return { filter, children: await loadChildOrganizations(app.db.orm, caller, childFilter) };
}

/**
 * Applies tag and publisher filters only to the parent, because their ids mean nothing in child organizations. All
 * events from child organizations pass these filters (our reading of the contract: Stream).
 */
function filterFor(caller: Scope, filter: EventFilter): (stored: StoredEvent) => boolean {
  const childFilter: EventFilter = {
    ...filter,
    tags: { include: [], exclude: [] },
    publishers: { include: undefined, exclude: [] },
  };
  const matchesParent = eventMatcher(filter);
  const matchesChild = eventMatcher(childFilter);
  return (stored) => (stored.organization === caller.organization ? matchesParent(stored) : matchesChild(stored));
}

function register(streams: Streams, user: string, feed: Feed<Event>): () => void {
  const openFeeds = streams.get(user) ?? [];
  streams.set(user, [...openFeeds, feed]);
  if (openFeeds.length >= MAX_STREAMS) openFeeds[0]?.end();
  return () => {
    const remaining = (streams.get(user) ?? []).filter((item) => item !== feed);
    if (remaining.length > 0) streams.set(user, remaining);
    else streams.delete(user);
  };
}

function readKeepAlive(header: Headers): number | undefined {
  const text = header.get(KEEP_ALIVE_HEADER);
  if (text === null) return undefined;
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 5 || seconds > 300) {
    throw invalidArgument(`${KEEP_ALIVE_HEADER} must be a whole number of seconds from 5 to 300, not "${text}".`);
  }
  return seconds;
}
