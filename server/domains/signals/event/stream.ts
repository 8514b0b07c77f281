import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import type { EventStreamRequest } from '#proto/gen/hiber/event_service_pb.ts';
import type { App } from '#server/app/app.ts';
import { forCaller } from '#server/db/pool/work.ts';
import { createFeed, type Feed } from '#server/events/feed.ts';
import { type EventFilter, eventMatcher } from '#server/events/filter.ts';
import type { StoredEvent } from '#server/events/stored.ts';
import { announceOpen } from '#server/wire/opened.ts';
import { onRightsChanged, rightsEnd } from '#server/session/rights.ts';
import { type Scope, scope } from '#server/session/scope.ts';
import { childOrganizations } from '#server/domains/people/organization/child-organizations.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { presentTimestamp } from '#server/wire/present.ts';
import { eventFilter } from './selection.ts';

/** Events that may wait for a slow consumer: several batches over 5,000 devices. */
const MAX_WAITING = 25_000;

/**
 * The contract has one stream per user and does not state what a second one does. Here a user may have a few, as
 * somebody with a console and a script does; one more ends the oldest, which is the likeliest to be forgotten.
 */
const MAX_STREAMS = 8;

/**
 * A stream ends, without error, when the rights of whoever opened it change, after delivering what the same change
 * recorded; when the API token, the ID token or the support session that it was opened with ends; and after an hour.
 * Clients open it anew as after any end.
 */
const LONGEST = 3_600_000;

/**
 * Keep-alive is not stated, and a client of the contract expects nothing but events, so the default is none. A client
 * that asks with this header, in seconds, gets an Event of type DEFAULT with only a time: one as soon as it is
 * subscribed, so that it knows from when on it misses nothing, and one per interval, so that proxies keep the
 * connection and a dead one is noticed.
 */
const KEEP_ALIVE_HEADER = 'quarterdeck-keep-alive';

type Streams = Map<string, Feed<Event>[]>;

/** `EventService.Stream` with its own memory of who streams what. */
export function eventStream(app: App) {
  const streams: Streams = new Map();
  return async function* stream(request: EventStreamRequest, context: HandlerContext): AsyncGenerator<Event> {
    const caller = scope(context);
    const interval = keepAlive(context.requestHeader);
    const { filter, children } = await forCaller(context.signal, () => read(app, caller, request), caller.organization);
    const wanted = wantedBy(caller, filter);

    const feed = createFeed<Event>(
      MAX_WAITING,
      () => new ConnectError('The stream could not keep up with what happens. Open it again.', Code.ResourceExhausted),
    );
    const leave = join(streams, caller.session.user.id, feed);
    const unsubscribe = app.bus.subscribe([caller.organization, ...children], {
      receive: (events) => feed.push(events.filter(wanted).map(({ event }) => event)),
      missed: () => feed.end(new ConnectError('Some events were missed. Open the stream again.', Code.Aborted)),
      closed: () => feed.end(),
    });
    onRightsChanged(context, children, () => feed.end());
    const beat = () => feed.push([create(EventSchema, { time: presentTimestamp(app.now()) })]);
    announceOpen(context);
    if (interval) beat();
    const beating = interval ? setInterval(beat, interval * 1000) : undefined;
    const left = (rightsEnd(context)?.getTime() ?? Infinity) - app.now().getTime();
    const ending = setTimeout(() => feed.end(), Math.min(LONGEST, left));
    // Nobody reads on after the caller hung up, so that what follows the loop may never run: the signal tells.
    let open = true;
    const leaveAll = () => {
      if (!open) return;
      open = false;
      feed.end();
      clearInterval(beating);
      clearTimeout(ending);
      unsubscribe();
      leave();
    };
    context.signal.addEventListener('abort', leaveAll, { once: true });
    if (context.signal.aborted) leaveAll();
    try {
      yield* feed;
    } finally {
      context.signal.removeEventListener('abort', leaveAll);
      leaveAll();
    }
  };
}

async function read(app: App, caller: Scope, { selection, childOrganizations: below }: EventStreamRequest) {
  const filter = await eventFilter(app.db.orm, caller, selection, app.now());
  return { filter, children: await childOrganizations(app.db.orm, caller, below) };
}

/**
 * Tag and publisher filters work for the parent only, as ids mean nothing elsewhere: events of child organizations
 * pass them unfiltered (contract: Stream; the reading is ours).
 */
function wantedBy(caller: Scope, filter: EventFilter): (stored: StoredEvent) => boolean {
  const forChildren: EventFilter = {
    ...filter,
    tags: { include: [], exclude: [] },
    publishers: { include: undefined, exclude: [] },
  };
  const ofParent = eventMatcher(filter);
  const ofChildren = eventMatcher(forChildren);
  return (stored) => (stored.organization === caller.organization ? ofParent(stored) : ofChildren(stored));
}

function join(streams: Streams, user: string, feed: Feed<Event>): () => void {
  const open = streams.get(user) ?? [];
  streams.set(user, [...open, feed]);
  if (open.length >= MAX_STREAMS) open[0]?.end();
  return () => {
    const left = (streams.get(user) ?? []).filter((item) => item !== feed);
    if (left.length > 0) streams.set(user, left);
    else streams.delete(user);
  };
}

function keepAlive(header: Headers): number | undefined {
  const text = header.get(KEEP_ALIVE_HEADER);
  if (text === null) return undefined;
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 5 || seconds > 300) {
    throw invalidArgument(`${KEEP_ALIVE_HEADER} is "${text}"; it must be a whole number of seconds from 5 to 300.`);
  }
  return seconds;
}
