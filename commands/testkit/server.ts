import { setMaxListeners } from 'node:events';

import { parseLine } from '#commands/line/line.ts';
import type { Context } from '#commands/model/context.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { failedResults } from '#commands/model/result.ts';
import { registry } from '#commands/nouns/all.ts';
import type { CompletedRun } from '#commands/run/completed-run.ts';
import { prepare, run } from '#commands/run/run.ts';
import { loadUserSession } from '#commands/session/user-session.ts';
import type { TestServer } from '#server/testkit/server.ts';

type DemoUser = Parameters<TestServer['as']>[0];

/** Returns the context of a demo user on the test server. The context does not cache reference data. */
export async function contextAs(server: TestServer, user: DemoUser, organization?: string): Promise<Context> {
  const { client } = server.as(user);
  const { signal } = new AbortController();
  // Every call in a test adds a listener to the signal, and Node warns about a leak if there are more than ten.
  setMaxListeners(0, signal);
  const context: Context = {
    ...(await loadUserSession(client, organization)),
    api: client,
    focus: undefined,
    // A defect fails the test directly instead of becoming a failed item.
    host: {
      report: (error) => {
        throw error;
      },
    },
    signal,
    progress: () => undefined,
    now: server.app.now,
    loadCached: (_key, load) => load(context),
  };
  return context;
}

/**
 * Runs an invocation and confirms its plan.
 *
 * @throws if the invocation is rejected
 */
export async function invoke(context: Context, { id, args }: Invocation): Promise<CompletedRun> {
  const command = registry.command(id);
  if (!command) throw new Error(`The command "${id}" is not registered.`);
  return run(await prepare(command, args, context), context);
}

/** Runs a command line as a user would type it. */
export async function type(context: Context, line: string): Promise<CompletedRun> {
  const { invocation, problems } = parseLine(line, registry);
  if (!invocation) throw new Error(`The line "${line}" is invalid: ${JSON.stringify(problems)}.`);
  return invoke(context, invocation);
}

/** Returns the plan for a command line without running it. */
export async function planLine(context: Context, line: string) {
  const { invocation, command } = parseLine(line, registry);
  if (!invocation || !command) throw new Error(`The line "${line}" is invalid.`);
  return (await prepare(command, invocation.args, context)).plan;
}

/**
 * Undoes a run by running its inverse.
 *
 * @throws if an item can't be restored
 */
export async function undo(context: Context, { inverse = [] }: CompletedRun): Promise<void> {
  for (const invocation of inverse) {
    const [first] = failedResults((await invoke(context, invocation)).outcome);
    if (first) throw new Error(`"${first.label}" was not restored: ${JSON.stringify(first.failure?.message)}.`);
  }
}
