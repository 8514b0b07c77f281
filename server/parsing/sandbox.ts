import type { JsonObject } from '@bufbuild/protobuf';

import { sandboxWorker } from '#server/base/paths.ts';
import { Turns, type Use } from '#server/db/pool/turns.ts';

import type { ParseFailure, ParseResult } from './result.ts';
import { Thread, ThreadStoppedError } from './thread.ts';
import type { Compiled } from './workers/definition.mjs';
import type { Failure, Result } from './workers/realm.mjs';

/** Messages for one definition. */
interface Batch {
  readonly organization: string;
  /** Identifies the organization and the definition. */
  readonly realm: string;
  readonly compiled: Compiled;
  readonly messages: readonly Uint8Array[];
  readonly withRanges: boolean;
}

type Request = Omit<Batch, 'organization'>;

/** Messages sent to the thread at a time; it answers earlier if they take long. */
const MAX_TURN_MESSAGES = 200;
/** Milliseconds of work until the thread is stopped: QuickJS ends a message earlier, unless it cannot. */
const MAX_TURN_MS = 2000;
/** The messages of a batch that may exceed a limit, before the rest of the batch is skipped. */
const MAX_EXCEEDING = 40;
/** Milliseconds for which a definition stays in the slow lane. */
const SLOW_MS = 60_000;
/** Milliseconds without messages after which a thread ends. */
const IDLE_MS = 300_000;
const MAX_SLOW_REALMS = 1000;
/** The number of an organization's definitions in the slow lane after which all of them are there. */
const MAX_SLOW_PER_ORGANIZATION = 3;

const NOT_TRIED: ParseFailure = {
  error: `The message: was not tried, because ${MAX_EXCEEDING} messages before it exceeded a limit.`,
};

/**
 * Parses messages in two threads. Organizations take turns. A definition that exceeded a limit moves to the
 * second thread, so the others wait for it only once.
 */
export class Sandbox {
  readonly #lane: Lane;
  readonly #slowLane: Lane;
  /** By realm, the time of the clock when it returns to the first lane. */
  readonly #slowUntil = new Map<string, number>();

  constructor(options: { readonly maxWaitMs: number; readonly busyError: () => Error }) {
    this.#lane = new Lane(options);
    this.#slowLane = new Lane(options);
  }

  async parse({ organization, ...request }: Batch): Promise<ParseResult[]> {
    const use: Use = { usedMs: 0, account: organization };
    const results: ParseResult[] = [];
    let exceeding = 0;
    while (results.length < request.messages.length && exceeding < MAX_EXCEEDING) {
      const messages = request.messages.slice(results.length, results.length + MAX_TURN_MESSAGES);
      const lane = this.#isSlow(organization, request.realm) ? this.#slowLane : this.#lane;
      const answers = await lane.take(use, { ...request, messages });
      const exceedingAnswers = answers.filter((answer) => 'exceeds' in answer).length;
      if (exceedingAnswers > 0) this.#setSlow(request.realm);
      exceeding += exceedingAnswers;
      for (const answer of answers) results.push(toResult(answer));
    }
    return request.messages.map((_, index) => results[index] ?? NOT_TRIED);
  }

  async close(): Promise<void> {
    await Promise.all([this.#lane.close(), this.#slowLane.close()]);
  }

  #isSlow(organization: string, realm: string): boolean {
    const now = performance.now();
    if ((this.#slowUntil.get(realm) ?? 0) > now) return true;
    let slowRealms = 0;
    for (const [key, until] of this.#slowUntil) {
      if (until > now && key.startsWith(`${organization} `)) slowRealms += 1;
    }
    return slowRealms >= MAX_SLOW_PER_ORGANIZATION;
  }

  #setSlow(realm: string): void {
    this.#slowUntil.delete(realm);
    this.#slowUntil.set(realm, performance.now() + SLOW_MS);
    const [oldest] = this.#slowUntil.keys();
    if (this.#slowUntil.size > MAX_SLOW_REALMS && oldest !== undefined) this.#slowUntil.delete(oldest);
  }
}

/** A thread, in which organizations take turns. */
class Lane {
  readonly #turns: Turns;
  readonly #progress = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #thread = new Thread<Request, { readonly results: readonly Result[] }>(sandboxWorker, {
    idleMs: IDLE_MS,
    workerData: { progress: this.#progress.buffer },
  });

  constructor(options: { readonly maxWaitMs: number; readonly busyError: () => Error }) {
    this.#turns = new Turns({ slots: 1, ...options });
  }

  /** Returns results of at least the first message. */
  async take(use: Use, request: Request): Promise<readonly Result[]> {
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

  async #run(request: Request): Promise<readonly Result[]> {
    try {
      const { results } = await this.#thread.run(request, MAX_TURN_MS);
      return results;
    } catch (error) {
      if (!(error instanceof ThreadStoppedError)) throw error;
      const culprit = Atomics.load(this.#progress, 0);
      // The results of the messages before it are lost with the thread.
      if (culprit > 0) return this.#run({ ...request, messages: request.messages.slice(0, culprit) });
      return [{ reason: 'stops the parser, or takes far too long', exceeds: true }];
    }
  }
}

function toResult(result: Result): ParseResult {
  if ('reason' in result) return toFailure(result);
  const { fields, ranges } = result;
  return { fields: fields as JsonObject, ...(ranges === undefined ? {} : { ranges }) };
}

function toFailure({ reason, path, offset, exceeds }: Failure): ParseFailure {
  const field = path === undefined ? 'The message' : `Field ${path}`;
  const place = offset === undefined ? '' : ` at byte ${offset}`;
  return {
    error: `${field}${place}: ${reason.replace(/\.$/, '')}.`,
    ...(path === undefined ? {} : { path }),
    ...(offset === undefined ? {} : { offset }),
    ...(exceeds ? { exceeds } : {}),
  };
}
