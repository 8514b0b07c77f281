import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { message } from '#commands/text/message.ts';
import { contextOf } from './connection.ts';
import { EXIT } from './io.ts';
import { testIo } from './testkit/io.ts';
import { gadgetRegistry, testSession } from './testkit/plain.ts';
import { countRuns, execute, made, timesRan } from './testkit/execute.ts';

countRuns();

const plan = (more: object = {}) => ({
  plan: async () => ({ summary: message('x:sum'), count: 2, changes: [], reversible: true, ...more }),
});

test('what works not now is not run', async () => {
  expect((await execute(made({ features: ['MODEM_CREATION'] }))).code).toBe(EXIT.notPermitted);
  const blocked = await execute(made({ blocked: () => message('x:blocked') }));
  expect([blocked.code, blocked.err, timesRan()]).toEqual([EXIT.failed, 'x:blocked\n', 0]);
});

test('--plan shows what would be done and does nothing', async () => {
  const shown = await execute(made(plan()), {}, { plan: true, yes: true });
  expect([shown.code, shown.out.split('\n')[0], timesRan()]).toEqual([
    EXIT.ok,
    'x:sum core:cli.plan.in name=Northwind Energy id=northwind',
    0,
  ]);
  expect(JSON.parse((await execute(made(plan()), {}, { plan: true, json: true })).out)).toMatchObject({ count: 2 });
  expect((await execute(made({ effect: 'read', plan: undefined }), {}, { plan: true })).err).toBe(
    'core:cli.plan.nothing\n',
  );
});

test('one thing that can be undone is done without a question, and others after a yes', async () => {
  expect(await execute(made(plan({ count: 1 })))).toMatchObject({ code: EXIT.ok, asked: [], err: '' });
  expect((await execute(made(plan()), {}, { yes: true })).code).toBe(EXIT.ok);
  expect(await execute(made(plan()))).toMatchObject({
    code: EXIT.usage,
    err: expect.stringContaining('core:cli.confirm.needed'),
  });
  expect(timesRan()).toBe(2);
  for (const yes of ['y', 'YES', ' Yes ']) {
    expect((await execute(made(plan()), {}, {}, { answers: [yes] })).code, yes).toBe(EXIT.ok);
  }
  expect(timesRan()).toBe(5);
  for (const no of ['', 'n', 'yess', 'oy']) {
    const { code, err } = await execute(made(plan()), {}, {}, { answers: [no] });
    expect([code, err.includes('core:cli.confirm.declined')], no).toEqual([EXIT.failed, true]);
  }
  expect(timesRan()).toBe(5);
  const typed = await execute(made(plan({ confirm: 'North' })), {}, {}, { answers: ['North'] });
  expect(typed.asked).toEqual(['core:cli.confirm.type text=North ']);
  expect([typed.code, timesRan()]).toEqual([EXIT.ok, 6]);
  for (const wrong of ['', 'y', 'yes', 'Nort', 'north', 'Northern', 'North pump']) {
    const { code, err } = await execute(made(plan({ confirm: 'North' })), {}, {}, { answers: [wrong] });
    expect([code, err.includes('core:cli.confirm.declined')], wrong).toEqual([EXIT.failed, true]);
  }
  expect(timesRan()).toBe(6);
});

test('what was said, handed out and can be undone is printed', async () => {
  const outcome = { message: message('x:done'), reveal: { label: message('x:code'), value: '1' } };
  const inverse = () => [{ id: 'gadget.reset', args: {} }];
  const of = made({ run: async () => outcome, inverse });
  expect(await execute(of)).toMatchObject({
    out: 'x:done\nx:code: 1\n',
    err: 'core:cli.undo line=npx quarterdeck undo\n',
  });
  expect((await execute(of, {}, { org: "a'b" })).err).toBe(`core:cli.undo line=npx quarterdeck undo --org "a'b"\n`);
  expect((await execute(of, {}, {}, { env: { QUARTERDECK_ORG: 'acme' } })).err).toContain('--org acme');
  const elsewhere = await execute(of, {}, { server: 'http://x', token: 'secret' });
  expect(elsewhere.err).toBe('core:cli.undo line=npx quarterdeck undo --server http://x\n');
});

test('a list is all of the answer, as a table or as JSON', async () => {
  const list = gadgetRegistry.command('gadget.list')!;
  const table = await execute(list, { filter: 'state:ERROR' });
  expect(table.out.split('\n')).toHaveLength(4);
  const json = await execute(list, { filter: 'state:ERROR' }, { json: true });
  expect(JSON.parse(json.out)).toMatchObject({ total: 2, items: [{ name: 'South pump' }, { name: 'Well 7' }] });
});

test('how far a run is, is said until it is all done', async () => {
  const run = async (context: { progress: (item: object) => void }) => {
    context.progress({ done: 1, total: 2 });
    context.progress({ done: 2, total: 2 });
    return {};
  };
  const { statuses, err } = await execute(made({ run }));
  expect([statuses, err]).toEqual([['core:cli.progress done=1 total=2', undefined], '']);
});

test('what another role, organization or feature would allow is not permitted, and anything else failed', async () => {
  const { acting, ...open } = testSession();
  const code = async (command: Command, changed: object) =>
    (await execute(command, {}, {}, {}, { ...open, acting: { ...acting, ...changed } })).code;
  const nobody = { ...acting.actor, abilities: new Set() };
  const editing = made({ requires: ['EDIT_DEVICE'] });
  expect(await code(editing, {})).toBe(EXIT.ok);
  expect(await code(editing, { actor: nobody })).toBe(EXIT.notPermitted);
  const nowhere = { ...acting.organization, id: '' };
  expect(await code(editing, { actor: nobody, organization: nowhere })).toBe(EXIT.notPermitted);
  const looking = { ...acting.organization, visit: { changesAllowed: false } };
  expect(await code(editing, { organization: looking })).toBe(EXIT.notPermitted);
  expect(await code(made({ features: ['MODEM_CREATION'] }), {})).toBe(EXIT.notPermitted);
  expect(await code(made({ blocked: () => message('x:blocked') }), {})).toBe(EXIT.failed);
});

test('a page is its lines for people and its data for machines, in the way that the person writes dates', async () => {
  const at = Date.UTC(2026, 2, 11, 12);
  const lines = [{ head: message('x:seen'), kind: 'time' as const, value: 'as the server says', at }];
  const page = made({
    effect: 'read',
    run: async (context: Context) => {
      context.host.output?.details({ lines, json: { seen: at } });
      return {};
    },
  });
  expect((await execute(page)).out).toMatch(/^x:seen {2}1\d Mar 2026, \d\d:00:00\n$/);
  const { acting, ...open } = testSession();
  const session = { ...open, acting: { ...acting, preferences: { dateTimeFormat: 'iso' } } };
  expect((await execute(page, {}, {}, {}, session)).out).toMatch(/^x:seen {2}2026-03-1\d \d\d:00/);
  // One document, that a machine reads to its end.
  expect(JSON.parse((await execute(page, {}, { json: true })).out)).toEqual({ seen: 1773230400000 });
});

test('what a list says besides is not shown, as the list is all of the answer', async () => {
  const list = gadgetRegistry.command('gadget.list')!;
  const run: Command['run'] = async (context, args) => ({
    ...(await list.run(context, args)),
    message: message('x:done'),
  });
  const spoken = { ...list, run } as Command;
  expect((await execute(spoken)).out).not.toContain('x:done');
  expect((await execute(made({ run: async () => ({ message: message('x:done') }) }))).out).toBe('x:done\n');
});

/** Where no history can be written: a file stands where its folder would be. */

function executeUnwritable(command: Command) {
  const file = join(mkdtempSync(join(tmpdir(), 'quarterdeck-unwritable-')), 'file');
  writeFileSync(file, '');
  return execute(command, {}, {}, { env: { XDG_CONFIG_HOME: file } });
}

test('what cannot be kept for undo is printed as lines, with the reason', async () => {
  const { code, err } = await executeUnwritable(made({ inverse: () => [{ id: 'gadget.reset', args: {} }] }));
  expect([code, err.split('\n')]).toEqual([
    EXIT.ok,
    [
      expect.stringMatching(
        /^core:cli.history.unwritten path=.*\/quarterdeck\/history code=ENOTDIR program=npx quarterdeck$/,
      ),
      'core:cli.undo line=npx quarterdeck gadget reset',
      '',
    ],
  ]);
  // Of what has no way back there is nothing to say.
  expect((await executeUnwritable(made())).err).toBe('');
});

test('what takes a run back may name its devices by a filter, or leave them open', async () => {
  const undone = async (args: object) =>
    (await executeUnwritable(made({ inverse: () => [{ id: 'gadget.tune', args: { mode: 'INSTALLED', ...args } }] })))
      .err;
  expect(await undone({ gadgets: { query: 'state:OK' } })).toContain(
    '\ncore:cli.undo line=npx quarterdeck gadget tune state:OK INSTALLED\n',
  );
  expect(await undone({})).toContain('npx quarterdeck gadget tune');
});

test('what several parts of a command look up is read once in a run', async () => {
  const context = contextOf(testSession(), testIo(), {}, () => {});
  let read = 0;
  const load = async () => (read += 1);
  expect([await context.cached('tags', load), await context.cached('tags', load)]).toEqual([1, 1]);
  expect(await context.cached('roles', load)).toBe(2);
});
