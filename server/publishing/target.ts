/**
 * The interface between the delivery engine and the kinds of publishers. Every kind must implement it. targets/all.ts
 * lists the kinds.
 */
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import type { EventSink } from '#server/events/record.ts';

import type { Policy } from './policy.ts';
import type { PublisherSubject } from './publisher-events.ts';

/** The two columns that identify a publisher. */
export interface PublisherKey {
  readonly organization: string;
  readonly id: number;
}

/** A due delivery. */
export interface Due {
  /** The id, shared by all attempts. */
  readonly id: number;
  readonly attempts: number;
  /** The event as protobuf; absent if the target stores its own data. */
  readonly body?: Uint8Array;
}

/** A call for the history, without secrets. */
export interface CallRecord {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly bodyProto: Uint8Array;
  readonly bodyJson: string;
  readonly status?: number;
  /** The reason for a failure, including the receiver's response; empty on success. */
  readonly error: string;
  readonly milliseconds: number;
}

/** The outcome of a delivery. */
export interface Attempt {
  readonly successful: boolean;
  /** The reason for a failure in one sentence, for events. Contains no part of the receiver's response. */
  readonly error: string;
  /** The call, for the history; absent if the target has its own history. */
  readonly call?: CallRecord;
  /** True if some items could not be delivered yet. The deliveries then stay due. */
  readonly unfinished?: boolean;
}

export interface Dispatcher {
  /**
   * Delivers with the publisher's current settings. Rejects only if `signal` aborts, never because of a receiver. After
   * a crash, the call in flight is repeated, so receivers get the delivery's id to detect duplicates.
   *
   * @param due at least one delivery, and at most as many as the target's `batch`
   * @returns undefined if the publisher was deleted
   */
  send(key: PublisherKey, due: readonly Due[], signal: AbortSignal): Promise<Attempt | undefined>;
  close(): Promise<void>;
}

export interface Target {
  /** The value of `publisher.kind` for its publishers. */
  readonly kind: string;
  readonly policy: Policy;
  /** Describes a publisher for events about it; undefined if the publisher was deleted. */
  subject(tx: Tx, key: PublisherKey, now: Date): Promise<PublisherSubject | undefined>;
  /** Puts events into the outbox. By default, each event that passes a publisher's filters is delivered to it. */
  readonly sink?: EventSink;
  /** The number of publishers that a process delivers to concurrently. The default suits calls that mostly wait. */
  readonly parallel?: number;
  /** The number of deliveries per call; 1 by default. */
  readonly batch?: number;
  /** Milliseconds between polls of the outbox when nothing wakes the worker; a second by default. */
  readonly poll?: number;
  open(app: Pick<App, 'db' | 'config' | 'secrets' | 'log' | 'now'>): Dispatcher;
}
