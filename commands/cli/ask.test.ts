import { expect, test } from 'vitest';

import { ASK } from '#commands/model/arg-value.ts';
import { command } from '#commands/model/command.ts';
import type { Args } from '#commands/model/invocation.ts';
import { p, required } from '#commands/model/params.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, simplePlan } from '#commands/testkit/gadget.ts';

import { complete, IncompleteLineError } from './ask.ts';
import { EXIT } from './io.ts';
import { Printer } from './printer.ts';
import { resetRunCountBeforeEach, execute, createCountingCommand, runCount } from './testkit/execute.ts';
import { testIo } from './testkit/io.ts';
import { gadgetRegistry, translateKey } from './testkit/plain.ts';

resetRunCountBeforeEach();

const form = command({
  id: 'gadget.form',
  effect: 'write',
  plan: simplePlan,
  params: {
    mode: required(p.choice(['ON', 'OFF'])),
    count: required(p.number({ min: 2 })),
    password: p.secret(),
    header: p.pairs({ hidden: true }),
    picture: p.file({ accept: ['image/png'], maxBytes: 9 }),
  },
  positional: ['mode'],
  run: async () => ({}),
});

async function completeForm(input: Args, io = testIo()) {
  const args = await complete(form, input, testContext(), io, new Printer(io, gadgetRegistry, translateKey));
  return { args, prompts: io.prompts, hiddenPrompts: io.hiddenPrompts, stderr: io.stderr() };
}

test('prompts for missing arguments until the answer is valid', async () => {
  const answers = [' ', 'maybe', 'on', '1', '3', 'hunter2', '', 'key'];
  const { args, stderr, prompts, hiddenPrompts } = await completeForm(
    { password: ASK, header: { 'X-Key': ASK, 'X-Old': 'old' } },
    testIo({ answers }),
  );
  expect(args).toEqual({ mode: 'ON', count: 3, password: 'hunter2', header: { 'X-Key': 'key', 'X-Old': 'old' } });
  expect(prompts).toEqual([
    ...Array.from({ length: 3 }, () => 'gadget:commands.form.params.mode (ON, OFF): '),
    ...Array.from({ length: 2 }, () => 'gadget:commands.form.params.count: '),
    'gadget:commands.form.params.password: ',
    'gadget:commands.form.params.header: X-Key: ',
    'gadget:commands.form.params.header: X-Key: ',
  ]);
  expect(hiddenPrompts).toEqual(prompts.slice(5));
  expect(stderr.split('\n').map((line) => line.split(' ')[0])).toEqual([
    'core:validation.required',
    'core:validation.option',
    'core:validation.min',
    'core:validation.required',
    '',
  ]);
});

test('reports the missing argument if there is no terminal', async () => {
  const allArgs = { mode: 'ON', count: 3 };
  const problem = (input: Args) =>
    completeForm(input).then(undefined, (error: unknown) => (error as IncompleteLineError).userMessage);
  expect(await problem({})).toMatchObject({ key: 'core:cli.missing.choice', values: { options: 'ON, OFF' } });
  expect(await problem({ mode: 'ON' })).toMatchObject({
    key: 'core:cli.missing.whatOption',
    values: { option: '--count NUMBER' },
  });
  expect(await problem({ ...allArgs, password: ASK })).toMatchObject({
    key: 'core:cli.ask.secret',
    values: { argument: '--password' },
  });
  expect(await problem({ ...allArgs, header: { A: ASK } })).toMatchObject({
    key: 'core:cli.ask.pair',
    values: { argument: '--header', title: 'gadget:commands.form.params.header: A' },
  });
  expect((await completeForm({ ...allArgs, password: 'x', header: { A: '' } })).args).toEqual({
    ...allArgs,
    password: 'x',
    header: { A: '' },
  });
});

test("lists the fields of an edit command if none is given, and doesn't run it", async () => {
  const params = { gadgets: p.many(() => gadget), name: p.text(), count: p.number(), bright: p.flag() };
  const edit = createCountingCommand({ params, positional: ['gadgets'], initial: async () => ({}) });
  const result = execute(edit, { gadgets: { ids: ['AAAA BBBB'] } });
  await expect(result).rejects.toMatchObject({
    userMessage: { key: 'core:cli.missing.any', values: { options: '--name TEXT, --count NUMBER, --bright' } },
  });
  await expect(result).rejects.toBeInstanceOf(IncompleteLineError);
  expect(runCount()).toBe(0);
  // Clearing a field counts as setting it.
  for (const field of [{ name: '' }, { bright: false }]) {
    expect((await execute(edit, { gadgets: { ids: ['AAAA BBBB'] }, ...field })).code).toBe(EXIT.ok);
  }
  expect(runCount()).toBe(2);
});

test('reads a file argument by its path and names an unreadable file', async () => {
  const allArgs = { mode: 'ON', count: 3 };
  const io = () => testIo({ files: { 'dir/logo.png': 'x' } });
  expect((await completeForm({ ...allArgs, picture: '@dir/logo.png' }, io())).args).toMatchObject({
    picture: 'data:image/png;name=logo.png;base64,eA==',
  });
  expect((await completeForm({ ...allArgs, picture: '' }, io())).args).toMatchObject({ picture: '' });
  await expect(completeForm({ ...allArgs, picture: '@missing.png' }, io())).rejects.toMatchObject({
    param: 'picture',
    userMessage: { key: 'running:line.file.missing', values: { path: 'missing.png' } },
  });
});

test('reads a file argument from standard input, but not from a terminal', async () => {
  const allArgs = { mode: 'ON', count: 3, picture: '@-' };
  const bytes = new Uint8Array([0x89, 0xff]);
  expect((await completeForm(allArgs, testIo({ input: bytes }))).args).toMatchObject({
    picture: 'data:image/png;name=stdin.png;base64,if8=',
  });
  await expect(completeForm(allArgs, testIo({ answers: [] }))).rejects.toMatchObject({
    param: 'picture',
    userMessage: { key: 'running:line.noInput' },
  });
});
