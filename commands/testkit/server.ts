import { setMaxListeners } from 'node:events';
import type { TestServer } from '#server/testkit/server.ts';
import { registry } from '#commands/nouns/all.ts';
import { loadActing } from '#commands/session/acting.ts';
import type { Context } from '#commands/model/context.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { parseLine } from '#commands/line/line.ts';
import { failed } from '#commands/model/result.ts';
import type { Done } from '#commands/run/done.ts';
import { prepare, run } from '#commands/run/run.ts';

type Person = Parameters<TestServer['as']>[0];

/** The context of a demo person on the real server; reference data is asked for anew each time. */
export async function contextAs(server: TestServer, person: Person, organization?: string): Promise<Context> {
  const { client } = server.as(person);
  const { signal } = new AbortController();
  // Every call of a test listens to it; of more than ten Node would warn as of a leak.
  setMaxListeners(0, signal);
  const context: Context = {
    ...(await loadActing(client, organization)),
    api: client,
    focus: undefined,
    host: {},
    signal,
    progress: () => undefined,
    now: server.app.now,
    cached: (_key, load) => load(context),
  };
  return context;
}

/** Runs an invocation as a person would who says yes to its plan. @throws what refuses it */
export async function invoke(context: Context, { id, args }: Invocation): Promise<Done> {
  const of = registry.command(id);
  if (!of) throw new Error(`there is no command ${id}`);
  return run(await prepare(of, args, context), context);
}

/** Runs a line as it is typed. */
export async function type(context: Context, line: string): Promise<Done> {
  const { invocation, problems } = parseLine(line, registry);
  if (!invocation) throw new Error(`'${line}' does not parse: ${JSON.stringify(problems)}`);
  return invoke(context, invocation);
}

/** Runs a line's plan only. */
export async function planOf(context: Context, line: string) {
  const { invocation, command } = parseLine(line, registry);
  if (!invocation || !command) throw new Error(`'${line}' does not parse`);
  return (await prepare(command, invocation.args, context)).plan;
}

/** Takes back what was done, by its inverse. @throws when an item cannot be put back */
export async function undo(context: Context, { inverse = [] }: Done): Promise<void> {
  for (const invocation of inverse) {
    const [first] = failed((await invoke(context, invocation)).outcome);
    if (first) throw new Error(`${first.label} was not put back: ${JSON.stringify(first.failure?.message)}`);
  }
}
