import { afterAll, beforeAll, expect, test } from 'vitest';

import { createExample } from '#commands/line/examples.ts';
import { parseLine, printLine } from '#commands/line/line.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { resolveArgs } from '#commands/run/resolve.ts';
import { prepare } from '#commands/run/run.ts';
import { contextAs } from '#commands/testkit/server.ts';
import type { Message } from '#commands/text/message.ts';
import { seedDatabase } from '#server/demo/seed/seed.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { registry } from './all.ts';

// The examples in the help can be copied, and work in the demo.

/** The size of the demo's fleet. A smaller one doesn't have the places in the examples. */
const DEVICES = 400;

let server: TestServer;
let context: Context;
beforeAll(async () => {
  server = await startTestServer({ isEmpty: true });
  const { db, secrets, now } = server.app;
  await seedDatabase(db, { size: 'demo', devices: DEVICES, now: now(), secrets });
  context = await contextAs(server, 'administrator');
}, 120_000);
afterAll(() => server.close());

/** The problems of examples that name something only the user has, or that the demo doesn't have at first. */
const MISSING: ReadonlySet<string> = new Set([
  // A file, or a secret.
  'core:validation.fileUnread',
  'core:validation.required',
  'common:files.none',
  // A note, an external identifier that isn't set yet, a simple parser, or a delivery.
  'device:validation.noNote',
  'device:validation.hasIdentifier',
  'parser:validation.notSimple',
  'webhook:validation.noDelivery',
  // A role that is being tried, a support session, or the permissions of staff.
  'role:validation.notTrying',
  'support:notInSession',
  'core:unavailable.support',
]);

/** The entities without items in the demo. Their examples name none. */
const WITHOUT_ITEMS: ReadonlySet<string> = new Set([
  'transfer',
  'outbound-transfer',
  'token',
  'invitation',
  'access-request',
  'support-session',
  'sign-in',
]);

const isMissing = ({ key }: Message, noun: string): boolean =>
  MISSING.has(key) || (WITHOUT_ITEMS.has(noun) && ['running:lookup.none', 'running:lookup.empty'].includes(key));

const commands = registry.commands.map((command) => [command.id, command] as const);

test.each(commands)('%s', async (_, command) => {
  const { id, args } = createExample(command);
  const line = printLine({ id, args }, registry);
  const invocation = parseLine(line, registry).invocation;
  expect(invocation).toEqual({ id, args });
  try {
    await (command.plan ? prepare(command, args, context) : resolveArgs(command, args, context));
  } catch (error) {
    const problem = error instanceof CommandError && !isMissing(error.userMessage, command.noun) ? error : undefined;
    if (problem) throw new Error(`${line}: ${JSON.stringify(problem.userMessage)}`, { cause: error });
    if (!(error instanceof CommandError)) throw error;
  }
});
