/** What the engine knows of a kind of publishers, and all that a new kind has to bring (targets/all.ts lists them). */
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import type { EventSink } from '#server/events/record.ts';
import type { Policy } from './policy.ts';
import type { PublisherSubject } from './publisher-events.ts';

/** Which publisher: the two columns of its key. */
export interface PublisherKey {
  readonly organization: string;
  readonly id: number;
}

/** A delivery that is due. */
export interface Due {
  /** Every attempt repeats it. */
  readonly id: number;
  readonly attempts: number;
  /** The event as protobuf; absent where the target keeps what it delivers. */
  readonly body?: Uint8Array;
}

/** A call as the history keeps it: without anything that must not be read back. */
export interface CallRecord {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly bodyProto: Uint8Array;
  readonly bodyJson: string;
  readonly status?: number;
  /** Why it failed, with what the receiver wrote; empty on success. */
  readonly error: string;
  readonly milliseconds: number;
}

/** How a delivery went. */
export interface Attempt {
  readonly successful: boolean;
  /** Why it failed, one sentence for events about it; holds nothing that the receiver wrote. */
  readonly error: string;
  /** For the history; left out by a target that has a history of its own. */
  readonly call?: CallRecord;
  /** There is more to deliver than could be delivered now: the deliveries stay due. */
  readonly unfinished?: boolean;
}

export interface Dispatcher {
  /**
   * Delivers, with the settings of the publisher as they are now. Never throws for what a receiver does; rejects only
   * when `signal` aborts. A crash repeats the call that was under way, so receivers are told the id of the delivery.
   *
   * @param due one, or up to as many as the target's `batch`
   * @returns undefined when the publisher is gone
   */
  send(key: PublisherKey, due: readonly Due[], signal: AbortSignal): Promise<Attempt | undefined>;
  close(): Promise<void>;
}

export interface Target {
  /** What `publisher.kind` says of its publishers. */
  readonly kind: string;
  readonly policy: Policy;
  /** A publisher as events about it tell of it; undefined when it is gone. */
  subject(tx: Tx, key: PublisherKey, now: Date): Promise<PublisherSubject | undefined>;
  /**
   * Puts events into the outbox. When left out, each event that passes the filters of a publisher is a delivery to
   * it.
   */
  readonly sink?: EventSink;
  /** Publishers delivered to at once by a process; as many as calls that only wait when left out. */
  readonly parallel?: number;
  /** Deliveries that one call takes; 1 when left out. */
  readonly batch?: number;
  /** Milliseconds between looks at the outbox when nothing wakes the worker; a second when left out. */
  readonly poll?: number;
  open(app: Pick<App, 'db' | 'config' | 'secrets' | 'log' | 'now'>): Dispatcher;
}
