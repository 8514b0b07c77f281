import { afterAll, beforeAll, expect, test } from 'vitest';

import * as resources from '#commands/cli/strings.ts';
import { createExample } from '#commands/line/examples.ts';
import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import { targetParam, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Param } from '#commands/model/kinds.ts';
import type { Plan, ValueText } from '#commands/model/plan.ts';
import { prepare } from '#commands/run/run.ts';
import { contextAs, type } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { registry } from './all.ts';

// These tests check that plans contain no constant names, JSON, or machine timestamps.

let server: TestServer;
let context: Context;
let deviceNumber: string;
beforeAll(async () => {
  server = await startTestServer();
  const administrator = await contextAs(server, 'administrator');
  const organization = { ...administrator.organization, features: new Set(['MODEM_CREATION', 'PROCESS_POINTS']) };
  context = { ...administrator, organization };
  const { outcome } = await type(context, 'device create Bare');
  deviceNumber = outcome.results![0]!.id;
  for (const line of [
    'tag create Mine',
    'process-point create Gauge',
    'parser create-simple Probe a:u1',
    'field create Probe state --values open,shut',
    'webhook create https://example.com/in',
    'token create mine --permissions MODEMS',
  ])
    await type(context, line);
});
afterAll(() => server.close());

const translate = translateWith(await createTranslator('en', resources));
const MACHINE_TEXT = [
  /\b[A-Z]+(?:_[A-Z0-9]+)+\b/,
  /\b[a-z]+_[a-z_]+\b/,
  /^[[{]/,
  /\d{4}-\d\d-\d\d/,
  /^[a-z]+:[a-z]+[.]/i,
];

const textOf = (value: ValueText): string => (typeof value === 'object' ? translate(value) : (value ?? ''));

function stringsIn({ summary, notes = [], changes }: Plan): readonly string[] {
  const changedValues = changes.flatMap(({ field, before, after, added = [], removed = [] }) => [
    field,
    before,
    after,
    ...added,
    ...removed,
  ]);
  return [summary, ...notes, ...changedValues].map(textOf);
}

/** The names of existing items, keyed by entity. */
const EXISTING: Readonly<Record<string, string>> = {
  tag: 'Mine',
  parser: 'Probe',
  'process-point': 'Gauge',
  role: 'viewer',
  'grantable-role': 'viewer',
};

/**
 * Returns a value that produces as much text as possible, such as several choices. For a single choice, returns the
 * first option that a customer can set.
 */
function valueOf(param: Param, value: ArgValue | undefined): ArgValue | undefined {
  if (param.kind === 'choice') return param.options.find((option) => !param.check?.(option as never, context));
  if (param.kind === 'choices') return param.options.slice(0, 3);
  if (param.kind !== 'ref' && param.kind !== 'refs') return value;
  const name = param.entity().name === 'device' ? deviceNumber : EXISTING[param.entity().name];
  if (param.kind === 'ref') return name ?? value;
  return name === undefined ? value : [name];
}

/** Returns a value for every param of the command, with the test device or all items as the target. */
function argsOf(command: Command): Readonly<Record<string, ArgValue | undefined>> {
  const { args } = createExample(command);
  const target = targetParam(command);
  const targetValue = target?.entity.name === 'device' ? { ids: [deviceNumber] } : { query: '' };
  return Object.fromEntries(
    Object.entries(command.params).map(([name, param]) => [
      name,
      name === target?.name ? targetValue : valueOf(param, args[name]),
    ]),
  );
}

const changingCommands = registry.commands.filter(({ effect }) => effect === 'write' || effect === 'destructive');

test('shows no constants, JSON, or machine timestamps in plans', async () => {
  const problems: string[] = [];
  const plannedIds: string[] = [];
  for (const command of changingCommands) {
    const preparedRun = await prepare(command, argsOf(command), context).catch(() => undefined);
    if (!preparedRun?.plan) continue;
    plannedIds.push(command.id);
    const machineStrings = stringsIn(preparedRun.plan).filter((text) =>
      MACHINE_TEXT.some((pattern) => pattern.test(text)),
    );
    problems.push(...machineStrings.map((text) => `${command.id}: ${text}`));
  }
  expect(problems).toEqual([]);
  expect(plannedIds).toEqual(
    expect.arrayContaining([
      'device.set-lifecycle',
      'webhook.create',
      'webhook.set-filter',
      'webhook.edit',
      'token.edit',
      'user.set-roles',
      'user.set-sign-in-rules',
      'me.set-units',
      'me.set-decimals',
      'me.set-emails',
    ]),
  );
  // The remaining commands need another user or an item that the seed doesn't contain.
  expect(plannedIds.length).toBeGreaterThan(changingCommands.length / 2);
});
