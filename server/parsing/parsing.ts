import { createHash } from 'node:crypto';

import { Code, ConnectError } from '@connectrpc/connect';

import { compilerWorker } from '#server/base/paths.ts';
import { Turns } from '#server/db/pool/turns.ts';

import { newBudget, type ParseResult, type ResultBudget } from './result.ts';
import { Sandbox } from './sandbox.ts';
import { Thread, ThreadStoppedError } from './thread.ts';
import type { Compiled } from './workers/definition.mjs';
import { leastNeeded } from './workers/least-needed.mjs';
import { MAX_COMPILE_MS, MAX_DEFINITION } from './workers/limits.mjs';

/** Thrown for a definition that can't be compiled. The message is for its author. */
export class DefinitionError extends Error {
  override name = 'DefinitionError';
  readonly line: number | undefined;
  /** The message without the line, for a definition that nobody has seen. */
  readonly reason: string;

  constructor(reason: string, line: number | undefined) {
    super(line === undefined ? reason : `Line ${line}: ${reason}`);
    this.line = line;
    this.reason = reason;
  }
}

/**
 * Runs Kaitai Struct definitions, which anyone with the permission may write, on messages. Definitions are compiled in
 * one thread, and messages are parsed in others, in QuickJS in WebAssembly. A definition cannot reach the server or
 * another organization, and does not block the server's event loop. Turns, cache entries, and slow definitions are
 * charged to the root of an organization's tree, so sub-organizations don't multiply what their parent may use.
 */
export interface Parsing {
  /**
   * Compiles a definition, or fails with the reason.
   *
   * @throws {DefinitionError}
   */
  check(organization: string, definition: string): Promise<void>;
  /**
   * Parses messages.
   *
   * @param organization the organization that the messages belong to: no two organizations share a realm
   * @returns a result for each message, in order
   * @throws {DefinitionError}
   */
  parse(
    organization: string,
    definition: string,
    messages: readonly Uint8Array[],
    options?: ParseOptions,
  ): Promise<ParseResult[]>;
  close(): Promise<void>;
}

export interface ParseOptions {
  readonly withRanges?: boolean;
  /** The budget that the results use up. The default is a new one. */
  readonly budget?: ResultBudget;
}

/** The maximum wait for a thread, in milliseconds. */
const MAX_WAIT_MS = 60_000;
/** The number of definitions that stay compiled. */
const MAX_COMPILED_DEFINITIONS = 200;
/** The time after which a definition that took too long to compile is tried again, in milliseconds. */
const STOPPED_MS = 60_000;

const COMPILER_MEMORY_MB = 256;
const COMPILER_IDLE_MS = 10_000;

const busyError = (): Error =>
  new ConnectError('The server is busy parsing messages. Try again later.', Code.Unavailable);

type Compilation = { readonly compiled: Compiled } | { readonly problem: string; readonly line?: number };

interface CachedCompilation {
  /** The account that first compiled it. */
  readonly account: string;
  readonly compilation: Promise<Compilation>;
}

const STOPPED: Compilation = { problem: 'The definition takes too long to compile, or too much memory.' };

/** @param rootOf returns the root of an organization's tree */
export function openParsing(rootOf: (organization: string) => Promise<string>): Parsing {
  const compiler = new Thread<string, Compilation>(compilerWorker, {
    idleMs: COMPILER_IDLE_MS,
    maxMs: () => MAX_COMPILE_MS,
    resourceLimits: { maxOldGenerationSizeMb: COMPILER_MEMORY_MB },
  });
  const turns = new Turns({ slots: 1, maxWaitMs: MAX_WAIT_MS, busyError });
  const sandbox = new Sandbox({ maxWaitMs: MAX_WAIT_MS, busyError });
  /** Keyed by the hash of the definition, most recently used last. */
  const compilations = new Map<string, CachedCompilation>();

  async function compileNow(account: string, definition: string): Promise<Compilation> {
    const endTurn = await turns.take({ usedMs: 0, account });
    try {
      return await compiler.run(definition);
    } catch (error) {
      if (!(error instanceof ThreadStoppedError)) throw error;
      return STOPPED;
    } finally {
      endTurn();
    }
  }

  async function compile(account: string, definition: string, hash: string): Promise<Compiled> {
    if (definition.length > MAX_DEFINITION) {
      const [length, max] = [definition.length, MAX_DEFINITION].map((count) => count.toLocaleString('en'));
      throw new DefinitionError(`A definition can have at most ${max} characters, not ${length}.`, undefined);
    }
    const cached = compilations.get(hash) ?? { account, compilation: compileNow(account, definition) };
    compilations.delete(hash);
    compilations.set(hash, cached);
    if (compilations.size > MAX_COMPILED_DEFINITIONS) compilations.delete(leastNeeded(compilations) ?? hash);
    try {
      const result = await cached.compilation;
      // On a busy machine, the next attempt may be faster.
      if (result === STOPPED) setTimeout(() => compilations.delete(hash), STOPPED_MS).unref();
      if ('compiled' in result) return result.compiled;
      throw new DefinitionError(result.problem, result.line);
    } catch (error) {
      // A busy server says nothing about the definition itself.
      if (!(error instanceof DefinitionError)) compilations.delete(hash);
      throw error;
    }
  }

  return {
    async check(organization, definition) {
      await compile(await rootOf(organization), definition, hashOf(definition));
    },
    async parse(organization, definition, messages, { withRanges = false, budget = newBudget() } = {}) {
      const [account, hash] = [await rootOf(organization), hashOf(definition)];
      const compiled = await compile(account, definition, hash);
      return sandbox.parse({ account, realm: `${organization} ${hash}`, compiled, messages, withRanges, budget });
    },
    async close() {
      await Promise.all([compiler.close(), sandbox.close()]);
    },
  };
}

const hashOf = (definition: string): string => createHash('sha256').update(definition).digest('base64');
