import type { JsonObject } from '@bufbuild/protobuf';

import { sandboxWorker } from '#server/base/paths.ts';
import { Turns, type Use } from '#server/db/pool/turns.ts';

import type { ParseFailure, ParseResult, ResultBudget } from './result.ts';
import { Thread, ThreadStoppedError } from './thread.ts';
import type { Compiled } from './workers/definition.mjs';
import { leastNeeded } from './workers/least-needed.mjs';
import { MAX_STUCK_MS } from './workers/limits.mjs';
import type { Failure, Result } from './workers/realm.mjs';

/** Messages for one definition. */
interface Batch {
  /** The account that the work is charged to: the root of the organization's tree. */
  readonly account: string;
  /** Identifies the organization and the definition. */
  readonly realm: string;
  readonly compiled: Compiled;
  readonly messages: readonly Uint8Array[];
  readonly withRanges: boolean;
}

/** Messages to parse, and the budget that their results use up. */
type ParseRequest = Batch & { readonly budget: ResultBudget };

/** The number of messages sent to the thread at a time. It answers earlier if they take long. */
const MAX_TURN_MESSAGES = 200;
/** The time limit for starting the thread and loading a definition, in milliseconds. */
const MAX_START_MS = 4000;
/** Megabytes of a thread's JavaScript heap. Realms are outside of it, and each has its own limit (`MAX_MEMORY`). */
const THREAD_MEMORY_MB = 256;
/** How many messages of a batch may exceed a limit before the rest is skipped. */
const MAX_EXCEEDING_MESSAGES = 40;
/** How long a definition stays in the slow lane, in milliseconds. */
const SLOW_MS = 60_000;
/** How long a thread may be idle before it ends, in milliseconds. */
const IDLE_MS = 300_000;
const MAX_SLOW_REALMS = 1000;
/** If this many of an account's definitions are in the slow lane, all of its definitions are. */
const MAX_SLOW_PER_ACCOUNT = 3;

const LIMIT_FAILURE: ParseFailure = {
  error: `Skipped because ${MAX_EXCEEDING_MESSAGES} earlier messages exceeded a limit.`,
};
const BUDGET_FAILURE: ParseFailure = {
  error: 'Skipped because the results of earlier messages are too large. Retry fewer at once.',
};

/**
 * Parses messages in two threads. Accounts take turns. A definition that exceeded a limit moves to the second thread,
 * so the others wait for it only once.
 */
export class Sandbox {
  readonly #lane: Lane;
  readonly #slowLane: Lane;
  /** The slow definitions by realm. `until` is when they return to the first lane. */
  readonly #slow = new Map<string, { readonly account: string; readonly until: number }>();

  constructor(options: { readonly maxWaitMs: number; readonly busyError: () => Error }) {
    this.#lane = new Lane(options);
    this.#slowLane = new Lane(options);
  }

  async parse({ budget, ...request }: ParseRequest): Promise<ParseResult[]> {
    const use: Use = { usedMs: 0, account: request.account };
    const results: ParseResult[] = [];
    let exceedingCount = 0;
    while (
      results.length < request.messages.length &&
      exceedingCount < MAX_EXCEEDING_MESSAGES &&
      budget.characters > 0
    ) {
      const messages = request.messages.slice(results.length, results.length + MAX_TURN_MESSAGES);
      const lane = this.#isSlow(request) ? this.#slowLane : this.#lane;
      const answers = await lane.take(use, { ...request, messages });
      const exceedingAnswers = answers.filter((answer) => 'exceeds' in answer).length;
      if (exceedingAnswers > 0) this.#setSlow(request);
      exceedingCount += exceedingAnswers;
      for (const answer of answers) {
        results.push(toResult(answer));
        if ('characters' in answer) budget.characters -= answer.characters;
      }
    }
    const skipFailure = budget.characters > 0 ? LIMIT_FAILURE : BUDGET_FAILURE;
    return request.messages.map((_, index) => results[index] ?? skipFailure);
  }

  async close(): Promise<void> {
    await Promise.all([this.#lane.close(), this.#slowLane.close()]);
  }

  #isSlow({ account, realm }: Batch): boolean {
    const now = performance.now();
    if ((this.#slow.get(realm)?.until ?? 0) > now) return true;
    let slowRealms = 0;
    for (const slowRealm of this.#slow.values())
      if (slowRealm.account === account && slowRealm.until > now) slowRealms += 1;
    return slowRealms >= MAX_SLOW_PER_ACCOUNT;
  }

  #setSlow({ account, realm }: Batch): void {
    this.#slow.delete(realm);
    this.#slow.set(realm, { account, until: performance.now() + SLOW_MS });
    if (this.#slow.size > MAX_SLOW_REALMS) this.#slow.delete(leastNeeded(this.#slow) ?? realm);
  }
}

/** A thread, in which accounts take turns. */
class Lane {
  readonly #turns: Turns;
  readonly #progress = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #thread = new Thread<Batch, { readonly results: readonly Result[] }>(sandboxWorker, {
    idleMs: IDLE_MS,
    maxMs: (step) => (step < 0 ? MAX_START_MS : MAX_STUCK_MS),
    step: () => Atomics.load(this.#progress, 0),
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
    workerData: { progress: this.#progress.buffer },
  });

  constructor(options: { readonly maxWaitMs: number; readonly busyError: () => Error }) {
    this.#turns = new Turns({ slots: 1, ...options });
  }

  /** Takes a turn. Returns the results of at least the first message. */
  async take(use: Use, request: Batch): Promise<readonly Result[]> {
    const endTurn = await this.#turns.take(use);
    try {
      return await this.#run(request);
    } finally {
      endTurn();
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #run(request: Batch): Promise<readonly Result[]> {
    Atomics.store(this.#progress, 0, ~0);
    try {
      const { results } = await this.#thread.run(request);
      return results;
    } catch (error) {
      if (!(error instanceof ThreadStoppedError)) throw error;
      const step = Atomics.load(this.#progress, 0);
      const culprit = step < 0 ? ~step : step;
      // The results of the preceding messages are lost with the thread.
      if (culprit > 0) return this.#run({ ...request, messages: request.messages.slice(0, culprit) });
      return [{ reason: 'the parser stopped or took far too long', exceeds: true }];
    }
  }
}

function toResult(result: Result): ParseResult {
  if ('reason' in result) return toFailure(result);
  const { fields, ranges } = result;
  return { fields: fields as JsonObject, ...(ranges === undefined ? {} : { ranges }) };
}

function toFailure({ reason, path, offset, exceeds }: Failure): ParseFailure {
  const field = path === undefined ? 'Message' : `Field ${path}`;
  const place = offset === undefined ? '' : ` at byte ${offset}`;
  return {
    error: `${field}${place}: ${reason.replace(/\.$/, '')}.`,
    ...(path === undefined ? {} : { path }),
    ...(offset === undefined ? {} : { offset }),
    ...(exceeds ? { exceeds } : {}),
  };
}
