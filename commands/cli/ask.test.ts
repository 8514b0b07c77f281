import { expect, test } from 'vitest';
import { command } from '#commands/model/command.ts';
import type { Args } from '#commands/model/invocation.ts';
import { ASK } from '#commands/model/arg-value.ts';
import { p, required } from '#commands/model/params.ts';
import { testContext } from '#commands/testkit/context.ts';
import { complete, IncompleteLine } from './ask.ts';
import { EXIT } from './io.ts';
import { Printer } from './printer.ts';
import { gadget, simplePlan } from '#commands/testkit/gadget.ts';
import { testIo } from './testkit/io.ts';
import { gadgetRegistry, sayKey } from './testkit/plain.ts';
import { countRuns, execute, made, timesRan } from './testkit/execute.ts';

countRuns();

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

async function asked(given: Args, io = testIo()) {
  const args = await complete(form, given, testContext(), io, new Printer(io, gadgetRegistry, sayKey));
  return { args, asked: io.asked, hidden: io.hidden, stderr: io.stderr() };
}

test('what a line leaves open is asked for until the answer is one', async () => {
  const answers = [' ', 'maybe', 'on', '1', '3', 'hunter2', '', 'key'];
  const {
    args,
    stderr,
    asked: questions,
    hidden,
  } = await asked({ password: ASK, header: { 'X-Key': ASK, 'X-Old': 'kept' } }, testIo({ answers }));
  expect(args).toEqual({ mode: 'ON', count: 3, password: 'hunter2', header: { 'X-Key': 'key', 'X-Old': 'kept' } });
  expect(questions).toEqual([
    ...Array.from({ length: 3 }, () => 'gadget:commands.form.params.mode (ON, OFF): '),
    ...Array.from({ length: 2 }, () => 'gadget:commands.form.params.count: '),
    'gadget:commands.form.params.password: ',
    'gadget:commands.form.params.header: X-Key: ',
    'gadget:commands.form.params.header: X-Key: ',
  ]);
  expect(hidden).toEqual(questions.slice(5));
  expect(stderr.split('\n').map((line) => line.split(' ')[0])).toEqual([
    'core:validation.required',
    'core:validation.option',
    'core:validation.min',
    'core:validation.required',
    '',
  ]);
});

test('where nobody can answer the argument is named', async () => {
  const full = { mode: 'ON', count: 3 };
  const text = (given: Args) => asked(given).then(undefined, (error: unknown) => (error as IncompleteLine).userMessage);
  expect(await text({})).toMatchObject({ key: 'core:cli.missing.choice', values: { options: 'ON, OFF' } });
  expect(await text({ mode: 'ON' })).toMatchObject({
    key: 'core:cli.missing.whatOption',
    values: { option: '--count NUMBER' },
  });
  expect(await text({ ...full, password: ASK })).toMatchObject({
    key: 'core:cli.ask.secret',
    values: { argument: '--password' },
  });
  expect(await text({ ...full, header: { A: ASK } })).toMatchObject({
    key: 'core:cli.ask.pair',
    values: { argument: '--header', title: 'gadget:commands.form.params.header: A' },
  });
  expect((await asked({ ...full, password: 'x', header: { A: '' } })).args).toEqual({
    ...full,
    password: 'x',
    header: { A: '' },
  });
});

test('an edit command without any field lists its fields and changes nothing', async () => {
  const params = { gadgets: p.many(() => gadget), name: p.text(), count: p.number(), bright: p.flag() };
  const edit = made({ params, positional: ['gadgets'], initial: async () => ({}) });
  const none = execute(edit, { gadgets: { ids: ['AAAA BBBB'] } });
  await expect(none).rejects.toMatchObject({
    userMessage: { key: 'core:cli.missing.any', values: { options: '--name TEXT, --count NUMBER, --bright' } },
  });
  await expect(none).rejects.toBeInstanceOf(IncompleteLine);
  expect(timesRan()).toBe(0);
  // Whatever is given is given, also what clears.
  for (const given of [{ name: '' }, { bright: false }]) {
    expect((await execute(edit, { gadgets: { ids: ['AAAA BBBB'] }, ...given })).code).toBe(EXIT.ok);
  }
  expect(timesRan()).toBe(2);
});

test('a file is read by its name, and one that cannot be read is named', async () => {
  const full = { mode: 'ON', count: 3 };
  const io = () => testIo({ files: { 'dir/logo.png': 'x' } });
  expect((await asked({ ...full, picture: '@dir/logo.png' }, io())).args).toMatchObject({
    picture: 'data:image/png;name=logo.png;base64,eA==',
  });
  expect((await asked({ ...full, picture: '' }, io())).args).toMatchObject({ picture: '' });
  await expect(asked({ ...full, picture: '@gone.png' }, io())).rejects.toMatchObject({
    param: 'picture',
    userMessage: { key: 'core:line.input', values: { value: '@gone.png' } },
  });
});
