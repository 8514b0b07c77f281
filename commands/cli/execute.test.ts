import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { message } from '#commands/text/message.ts';
import { formatMoment } from '#commands/text/moment.ts';

import { createContext } from './connection.ts';
import { EXIT } from './io.ts';
import { resetRunCountBeforeEach, execute, createCountingCommand, runCount } from './testkit/execute.ts';
import { testIo } from './testkit/io.ts';
import { gadgetRegistry, testSession } from './testkit/plain.ts';

resetRunCountBeforeEach();

const plan = (more: object = {}) => ({
  plan: async () => ({ summary: message('x:sum'), count: 2, changes: [], reversible: true, ...more }),
});

test("doesn't run an unavailable command", async () => {
  expect((await execute(createCountingCommand({ features: ['MODEM_CREATION'] }))).code).toBe(EXIT.notPermitted);
  const blockedRun = await execute(createCountingCommand({ blockedReason: () => message('x:blocked') }));
  expect([blockedRun.code, blockedRun.err, runCount()]).toEqual([EXIT.failed, 'x:blocked\n', 0]);
});

test('shows the plan and changes nothing with --plan', async () => {
  const plannedRun = await execute(createCountingCommand(plan()), {}, { plan: true, yes: true });
  expect([plannedRun.code, plannedRun.out.split('\n')[0], runCount()]).toEqual([
    EXIT.ok,
    'x:sum core:cli.plan.in name=Northwind Energy id=northwind',
    0,
  ]);
  expect(JSON.parse((await execute(createCountingCommand(plan()), {}, { plan: true, json: true })).out)).toMatchObject({
    count: 2,
  });
  expect((await execute(createCountingCommand({ effect: 'read', plan: undefined }), {}, { plan: true })).err).toBe(
    'core:cli.plan.nothing\n',
  );
});

test('asks for confirmation unless a command changes a single item reversibly', async () => {
  expect(await execute(createCountingCommand(plan({ count: 1 })))).toMatchObject({
    code: EXIT.ok,
    prompts: [],
    err: '',
  });
  expect((await execute(createCountingCommand(plan()), {}, { yes: true })).code).toBe(EXIT.ok);
  expect(await execute(createCountingCommand(plan()))).toMatchObject({
    code: EXIT.usage,
    err: expect.stringContaining('core:cli.confirm.needed'),
  });
  expect(runCount()).toBe(2);
  for (const yes of ['y', 'YES', ' Yes ']) {
    expect((await execute(createCountingCommand(plan()), {}, {}, { answers: [yes] })).code, yes).toBe(EXIT.ok);
  }
  expect(runCount()).toBe(5);
  for (const answer of ['', 'n', 'yess', 'oy']) {
    const { code, err } = await execute(createCountingCommand(plan()), {}, {}, { answers: [answer] });
    expect([code, err.includes('core:cli.confirm.declined')], answer).toEqual([EXIT.failed, true]);
  }
  expect(runCount()).toBe(5);
  const confirmation = await execute(createCountingCommand(plan({ confirm: 'North' })), {}, {}, { answers: ['North'] });
  expect(confirmation.prompts).toEqual(['core:cli.confirm.type text=North ']);
  expect([confirmation.code, runCount()]).toEqual([EXIT.ok, 6]);
  for (const wrong of ['', 'y', 'yes', 'Nort', 'north', 'Northern', 'North pump']) {
    const { code, err } = await execute(
      createCountingCommand(plan({ confirm: 'North' })),
      {},
      {},
      { answers: [wrong] },
    );
    expect([code, err.includes('core:cli.confirm.declined')], wrong).toEqual([EXIT.failed, true]);
  }
  expect(runCount()).toBe(6);
});

test('prints the message, the revealed value, and the undo command', async () => {
  const outcome = { message: message('x:done'), reveal: { label: message('x:code'), value: '1' } };
  const inverse = () => [{ id: 'gadget.reset', args: {} }];
  const command = createCountingCommand({ run: async () => outcome, inverse });
  expect(await execute(command)).toMatchObject({
    out: 'x:done\nx:code: 1\n',
    err: 'core:cli.undo line=npx quarterdeck undo\n',
  });
  expect((await execute(command, {}, { org: "a'b" })).err).toBe(
    `core:cli.undo line=npx quarterdeck undo --org "a'b"\n`,
  );
  expect((await execute(command, {}, {}, { env: { QUARTERDECK_ORG: 'acme' } })).err).toContain('--org acme');
  const otherServer = await execute(command, {}, { server: 'http://x', token: 'secret' });
  expect(otherServer.err).toBe('core:cli.undo line=npx quarterdeck undo --server http://x\n');
});

test('prints all items of a list, as a table or as JSON', async () => {
  const list = gadgetRegistry.command('gadget.list')!;
  const table = await execute(list, { filter: 'state:ERROR' });
  expect(table.out.split('\n')).toHaveLength(4);
  const json = await execute(list, { filter: 'state:ERROR' }, { json: true });
  expect(JSON.parse(json.out)).toMatchObject({ total: 2, items: [{ name: 'South pump' }, { name: 'Well 7' }] });
});

test('shows progress until the run is complete', async () => {
  const run = async (context: { progress: (item: object) => void }) => {
    context.progress({ done: 1, total: 2 });
    context.progress({ done: 2, total: 2 });
    return {};
  };
  const { statuses, err } = await execute(createCountingCommand({ run }));
  expect([statuses, err]).toEqual([['core:cli.progress done=1 total=2', undefined], '']);
});

test('exits with `notPermitted` without access, and with `failed` for a blocked command', async () => {
  const { userSession, ...connection } = testSession();
  const code = async (command: Command, changes: object) =>
    (await execute(command, {}, {}, {}, { ...connection, userSession: { ...userSession, ...changes } })).code;
  const actorWithoutAbilities = { ...userSession.actor, abilities: new Set() };
  const edit = createCountingCommand({ requires: ['EDIT_DEVICE'] });
  expect(await code(edit, {})).toBe(EXIT.ok);
  expect(await code(edit, { actor: actorWithoutAbilities })).toBe(EXIT.notPermitted);
  const noOrganization = { ...userSession.organization, id: '' };
  expect(await code(edit, { actor: actorWithoutAbilities, organization: noOrganization })).toBe(EXIT.notPermitted);
  const readOnly = { ...userSession.organization, supportSession: { changesAllowed: false } };
  expect(await code(edit, { organization: readOnly })).toBe(EXIT.notPermitted);
  expect(await code(createCountingCommand({ features: ['MODEM_CREATION'] }), {})).toBe(EXIT.notPermitted);
  expect(await code(createCountingCommand({ blockedReason: () => message('x:blocked') }), {})).toBe(EXIT.failed);
});

test("prints details as text with the user's date format, or as JSON", async () => {
  const time = Date.UTC(2026, 2, 11, 12);
  const lines = [{ head: message('x:seen'), kind: 'time' as const, value: "the server's text", time }];
  const page = createCountingCommand({
    effect: 'read',
    run: async (context: Context) => {
      context.host.output?.details({ lines, json: { seen: time } });
      return {};
    },
  });
  expect((await execute(page)).out).toBe(`x:seen  ${formatMoment(time)}\n`);
  const { userSession, ...connection } = testSession();
  const session = { ...connection, userSession: { ...userSession, preferences: { dateTimeFormat: 'iso' } } };
  expect((await execute(page, {}, {}, {}, session)).out).toBe(`x:seen  ${formatMoment(time, 'iso')}\n`);
  // The output is a single JSON document.
  expect(JSON.parse((await execute(page, {}, { json: true })).out)).toEqual({ seen: 1_773_230_400_000 });
});

test("doesn't print a list command's message", async () => {
  const list = gadgetRegistry.command('gadget.list')!;
  const run: Command['run'] = async (context, args) => ({
    ...(await list.run(context, args)),
    message: message('x:done'),
  });
  const listWithMessage = { ...list, run } as Command;
  expect((await execute(listWithMessage)).out).not.toContain('x:done');
  expect((await execute(createCountingCommand({ run: async () => ({ message: message('x:done') }) }))).out).toBe(
    'x:done\n',
  );
});

/** Runs a command whose history can't be written, because a file exists at the path of its folder. */
function executeWithUnwritableHistory(command: Command) {
  const file = join(mkdtempSync(join(tmpdir(), 'quarterdeck-unwritable-')), 'file');
  writeFileSync(file, '');
  return execute(command, {}, {}, { env: { XDG_CONFIG_HOME: file } });
}

test("prints the undo commands and the reason if the history can't be written", async () => {
  const { code, err } = await executeWithUnwritableHistory(
    createCountingCommand({ inverse: () => [{ id: 'gadget.reset', args: {} }] }),
  );
  expect([code, err.split('\n')]).toEqual([
    EXIT.ok,
    [
      expect.stringMatching(
        /^core:cli.history.notWritten path=.*\/quarterdeck\/history code=ENOTDIR program=npx quarterdeck$/,
      ),
      'core:cli.undo line=npx quarterdeck gadget reset',
      '',
    ],
  ]);
  // A command that can't be undone reports nothing.
  expect((await executeWithUnwritableHistory(createCountingCommand())).err).toBe('');
});

test('prints undo commands that target a filter or have no target', async () => {
  const undoHint = async (args: object) =>
    (
      await executeWithUnwritableHistory(
        createCountingCommand({ inverse: () => [{ id: 'gadget.tune', args: { mode: 'INSTALLED', ...args } }] }),
      )
    ).err;
  expect(await undoHint({ gadgets: { query: 'state:OK' } })).toContain(
    '\ncore:cli.undo line=npx quarterdeck gadget tune state:OK INSTALLED\n',
  );
  expect(await undoHint({})).toContain('npx quarterdeck gadget tune');
});

test('caches lookups for the duration of a run', async () => {
  const context = createContext(testSession(), testIo(), {}, () => {});
  let loads = 0;
  const load = async () => (loads += 1);
  expect([await context.loadCached('tags', load), await context.loadCached('tags', load)]).toEqual([1, 1]);
  expect(await context.loadCached('roles', load)).toBe(2);
});
