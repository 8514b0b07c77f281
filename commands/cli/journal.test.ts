import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { command, type Command } from '#commands/model/command.ts';
import type { Args } from '#commands/model/invocation.ts';
import { p } from '#commands/model/params.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { prepare, run } from '#commands/run/run.ts';
import { prepareUndo } from '#commands/run/undo.ts';
import { registry as gadgets, set, setUpGadgets, states, world } from '#commands/testkit/changing-gadgets.ts';
import { testContext } from '#commands/testkit/context.ts';
import { message } from '#commands/text/message.ts';

import { HistoryFiles } from './history-files.ts';
import { TerminalHistory } from './history.ts';
import { startJournal } from './journal.ts';

setUpGadgets();

const create = command({
  id: 'gadget.create',
  effect: 'write',
  params: { name: p.text(), password: p.secret() },
  plan: async () => ({
    summary: message('gadget:create'),
    count: 1,
    changes: [{ id: '', label: 'New', field: message('gadget:state'), after: 'OK' }],
    reversible: true,
  }),
  run: async () => ({}),
  inverse: (_args, { data }) => [{ id: 'gadget.set', args: data as Args }],
});
const registry = createRegistry([{ commands: [set, create, ...gadgets.commands.filter(({ id }) => id !== set.id)] }]);

let folder: string;
let files: HistoryFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quarterdeck-journal-'));
  files = new HistoryFiles(folder, { server: 'http://x', organization: 'northwind', account: '1' });
});
afterEach(() => rmSync(folder, { recursive: true }));

const history = () => new TerminalHistory(files, registry);
const ready = async () => undefined;
const all = { gadgets: { ids: ['AAAA BBBB', 'CCCC DDDD', 'EEEE FFFF'] }, state: 'WARNING' };

async function start(changing: Command = set, args: Args = all, staged = false) {
  const preparedRun = await prepare(changing, args, testContext());
  const plan = { ...preparedRun.plan!, ...(staged ? { staged } : {}) };
  const journal = startJournal({ ...preparedRun, plan }, testContext(), registry, files);
  return { preparedRun, journal };
}

const path = () => join(folder, readdirSync(folder)[0]!);

/** Changes the first line of the only file. */
function rewrite(change: object): void {
  const [first = '', ...rest] = readFileSync(path(), 'utf8').split('\n');
  writeFileSync(path(), [JSON.stringify({ ...(JSON.parse(first) as object), ...change }), ...rest].join('\n'));
}

test('undoes what was done, or may have been done, when the process was killed', async () => {
  const { preparedRun, journal } = await start();
  let killed: ReturnType<TerminalHistory['newest']>;
  world.rejectionFor = ([item]) => {
    // The process is killed during the second call, which the server never receives.
    if (item?.id === 'CCCC DDDD') killed = history().newest();
    return undefined;
  };
  await run(preparedRun, testContext(), { ready, ...journal });
  expect(killed?.entry.run.inverse).toEqual([
    { id: 'gadget.set', args: { gadgets: { ids: ['AAAA BBBB'] }, state: 'OK' } },
    { id: 'gadget.set', args: { gadgets: { ids: ['CCCC DDDD'] }, state: 'ERROR' } },
  ]);
  const { plan, confirm } = await prepareUndo(killed!, registry, testContext());
  expect(confirm).toBe(true);
  expect(plan.notes).toEqual([
    message('running:undo.counts', { done: 1, unknown: 1, failed: 0, skipped: 1 }),
    message('running:undo.interrupted'),
  ]);
  expect(states()).toEqual(['WARNING', 'WARNING', 'WARNING']);
  expect(
    history()
      .newest()
      ?.entry.run.outcome.results?.filter(({ failure }) => failure),
  ).toEqual([]);
  journal?.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('assumes that a change without any known call may have been made, unless every call is known', async () => {
  await start();
  expect(
    history()
      .newest()
      ?.entry.run.inverse?.flatMap(({ args }) => (args['gadgets'] as { ids: [] }).ids),
  ).toEqual(all.gadgets.ids);
  rmSync(path());
  await start(set, all, true);
  expect(history().newest()).toBeUndefined();
});

test('never undoes an older change instead of one whose inverse is not known', async () => {
  const { journal } = await start(create, { name: 'New', password: 'hunter2' });
  expect(readFileSync(path(), 'utf8')).not.toContain('hunter2');
  const candidate = history().newest()!;
  expect(candidate.entry.run).toMatchObject({ inverse: undefined, outcome: {} });
  await expect(prepareUndo(candidate, registry, testContext())).rejects.toMatchObject({
    userMessage: { key: 'running:undo.lost' },
  });
  const restore = { id: 'gadget.set', args: { gadgets: { ids: ['AAAA BBBB'] }, state: 'OK' } };
  const forget = journal!.safeguard([restore]);
  expect(history().newest()?.entry.run.inverse).toEqual([restore]);
  journal!.fail();
  expect(history().newest()?.entry.run.inverse).toEqual([restore]);
  forget();
  journal!.fail();
  expect(readdirSync(folder)).toEqual([]);
});

test('stores the rest of a partly undone change in its place', async () => {
  await start();
  const candidate = history().newest()!;
  const rest = candidate.entry.run.inverse!.slice(1);
  history().storeRemaining(candidate, rest);
  expect(history().newest()).toMatchObject({ name: candidate.name, entry: { run: { inverse: rest } } });
});

test('says that a change is still being made while its process runs', async () => {
  await start();
  rewrite({ pid: process.ppid });
  const busy = expect.objectContaining({
    userMessage: message('running:history.busy', { title: message('gadget:set', { state: 'WARNING' }) }),
  });
  expect(() => history().newest()).toThrow(busy);
  // The number of an ended process can be used again.
  const minuteAgo = Date.now() / 1000 - 60;
  utimesSync(path(), minuteAgo, minuteAgo);
  expect(history().newest()).toBeDefined();
  rewrite({ pid: 2 ** 22 + 1 });
  expect(history().newest()).toBeDefined();
});

test('ignores an incomplete line, and stops without its file', async () => {
  const { journal } = await start();
  await journal!.begin(['AAAA BBBB']);
  appendFileSync(path(), '{"number":0,"ids":["AAAA');
  expect(
    history()
      .newest()
      ?.entry.run.outcome.results?.map(({ skipped }) => skipped === true),
  ).toEqual([false, true, true]);
  rmSync(path());
  await journal!.end([{ id: 'AAAA BBBB', label: 'North pump' }]);
  expect(readdirSync(folder)).toEqual([]);
});

test('makes the change even if the folder can not be written, and stores none that changes nothing', async () => {
  expect((await start(set, { ...all, gadgets: { ids: ['AAAA BBBB'] }, state: 'OK' })).journal).toBeUndefined();
  writeFileSync(join(folder, 'file'), '');
  files = new HistoryFiles(join(folder, 'file'), { server: 'http://x', organization: 'northwind', account: '1' });
  expect((await start()).journal).toBeUndefined();
});
