import { afterEach, expect, test } from 'vitest';

import { command, type Command } from '../core/command.ts';
import type { Args } from '../core/invocation.ts';
import { ASK } from '../core/kinds.ts';
import { message } from '../core/message.ts';
import { p, required } from '../core/params.ts';
import { testContext } from '../testing/context.ts';
import { complete, type IncompleteLine } from './ask.ts';
import { cli } from './cli.ts';
import { organizationOf } from './connection.ts';
import { Execution } from './execute.ts';
import { EXIT } from './io.ts';
import type { Globals } from './options.ts';
import { Printer } from './printer.ts';
import { testIo } from './testing/io.ts';
import { gadgetRegistry, sayKey, testSession } from './testing/plain.ts';

let ran = 0;
afterEach(() => void (ran = 0));

type Given = Parameters<typeof testIo>[0] & { readonly watched?: boolean };
async function execute(of: Command, args: Args = {}, globals: Globals = {}, { watched = false, ...given }: Given = {}) {
  const io = { ...testIo(given), watched };
  const session = testSession();
  const execution = new Execution(gadgetRegistry, globals, io, new Printer(io, gadgetRegistry, sayKey), session);
  const code = await execution.of(of, args);
  return { code, out: io.printed(), err: io.said(), asked: io.asked };
}
const count = async () => {
  ran++;
  return {};
};
const made = (spec: object = {}): Command => command({ id: 'gadget.try', effect: 'write', run: count, ...spec });
const plan = (more: object = {}) => ({
  plan: async () => ({ summary: message('x:sum'), count: 2, changes: [], reversible: true, ...more }),
});

test('what works in the console only, or not now, is not run', async () => {
  expect(await execute(made({ needs: ['navigate'] }))).toMatchObject({
    code: EXIT.usage,
    err: 'core:cli.consoleOnly command=gadget try\n',
  });
  expect((await execute(made({ features: ['MODEM_CREATION'] }))).code).toBe(EXIT.notPermitted);
  const blocked = await execute(made({ blocked: () => message('x:blocked') }));
  expect([blocked.code, blocked.err, ran]).toEqual([EXIT.failed, 'x:blocked\n', 0]);
});

test('--plan shows what would be done and does nothing', async () => {
  const shown = await execute(made(plan()), {}, { plan: true, yes: true });
  expect([shown.code, shown.out.split('\n')[0], ran]).toEqual([
    EXIT.ok,
    'x:sum core:cli.plan.in name=Northwind Energy id=northwind',
    0,
  ]);
  expect(JSON.parse((await execute(made(plan()), {}, { plan: true, json: true })).out)).toMatchObject({ count: 2 });
  expect((await execute(made(), {}, { plan: true })).err).toBe('core:cli.plan.unknown\n');
  expect((await execute(made({ effect: 'read' }), {}, { plan: true })).err).toBe('core:cli.plan.nothing\n');
});

test('one thing that can be undone is done without a question, and others after a yes', async () => {
  expect(await execute(made(plan({ count: 1 })))).toMatchObject({ code: EXIT.ok, asked: [], err: '' });
  expect((await execute(made(plan()), {}, { yes: true })).code).toBe(EXIT.ok);
  expect(await execute(made(plan()))).toMatchObject({
    code: EXIT.usage,
    err: expect.stringContaining('core:cli.confirm.needed'),
  });
  expect(ran).toBe(2);
  for (const yes of ['y', 'YES', ' Yes ']) {
    expect((await execute(made(plan()), {}, {}, { answers: [yes] })).code, yes).toBe(EXIT.ok);
  }
  expect(ran).toBe(5);
  for (const no of ['', 'n', 'yess', 'oy']) {
    const { code, err } = await execute(made(plan()), {}, {}, { answers: [no] });
    expect([code, err.includes('core:cli.confirm.declined')], no).toEqual([EXIT.failed, true]);
  }
  expect(ran).toBe(5);
  const typed = await execute(made(plan({ confirm: 'North' })), {}, {}, { answers: ['North'] });
  expect(typed.asked).toEqual(['core:cli.confirm.type text=North ']);
});

test('what was said, handed out and can be undone is printed', async () => {
  const outcome = { said: message('x:said'), reveal: { label: message('x:code'), value: '1' } };
  const inverse = () => [{ id: 'gadget.reset', args: {} }];
  const of = made({ run: async () => outcome, inverse });
  expect(await execute(of)).toMatchObject({
    out: 'x:said\nx:code: 1\n',
    err: 'core:cli.undo line=npx quarterdeck gadget reset\n',
  });
  expect((await execute(of, {}, { org: "a'b" })).err).toBe(
    `core:cli.undo line=npx quarterdeck gadget reset --org "a'b"\n`,
  );
  expect((await execute(of, {}, {}, { env: { QUARTERDECK_ORG: 'acme' } })).err).toContain('--org acme');
});

test('a list is all of the answer, as a table or as JSON', async () => {
  const list = gadgetRegistry.command('gadget.list')!;
  const table = await execute(list, { filter: 'state:ERROR' });
  expect(table.out.split('\n')).toHaveLength(4);
  const json = await execute(list, { filter: 'state:ERROR' }, { json: true });
  expect(JSON.parse(json.out)).toMatchObject({ total: 2, items: [{ name: 'South pump' }, { name: 'Well 7' }] });
});

test('progress is written over on one line, where it is seen', async () => {
  const run = async (context: { progress: (of: object) => void }) => {
    context.progress({ done: 1, total: 2 });
    context.progress({ done: 2, total: 2 });
    return {};
  };
  expect((await execute(made({ run }), {}, {}, { watched: true })).err).toBe(
    '\r\u001b[Kcore:cli.progress done=1 total=2\r\u001b[K',
  );
  expect((await execute(made({ run }))).err).toBe('');
});

const form = command({
  id: 'gadget.form',
  effect: 'write',
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
  return { args, asked: io.asked, hidden: io.hidden, said: io.said() };
}

test('what a line leaves open is asked for until the answer is one', async () => {
  const answers = [' ', 'maybe', 'on', '1', '3', 'hunter2', '', 'key'];
  const {
    args,
    said,
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
  expect(said.split('\n').map((line) => line.split(' ')[0])).toEqual([
    'core:validation.required',
    'core:validation.option',
    'core:validation.min',
    'core:validation.required',
    '',
  ]);
});

test('where nobody can answer the argument is named', async () => {
  const full = { mode: 'ON', count: 3 };
  const said = (given: Args) => asked(given).then(undefined, (error: unknown) => (error as IncompleteLine).said);
  expect(await said({})).toMatchObject({ key: 'core:cli.ask.missing', values: { argument: 'MODE' } });
  expect(await said({ mode: 'ON' })).toMatchObject({ key: 'core:cli.ask.missing', values: { argument: '--count' } });
  expect(await said({ ...full, password: ASK })).toMatchObject({
    key: 'core:cli.ask.secret',
    values: { argument: '--password' },
  });
  expect(await said({ ...full, header: { A: ASK } })).toMatchObject({
    key: 'core:cli.ask.secret',
    values: { argument: '--header', title: 'gadget:commands.form.params.header: A' },
  });
  expect((await asked({ ...full, password: 'x', header: { A: '' } })).args).toEqual({
    ...full,
    password: 'x',
    header: { A: '' },
  });
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
    said: { key: 'core:line.input', values: { value: '@gone.png' } },
  });
});

test('the organization is that of the option, else of the environment', () => {
  const io = (org: string) => testIo({ env: { QUARTERDECK_ORG: org } });
  expect([organizationOf({ org: 'a' }, io('b')), organizationOf({}, io('b')), organizationOf({}, io(''))]).toEqual([
    'a',
    'b',
    undefined,
  ]);
});

test('a word stands for standard input or for a file, each for itself', async () => {
  const said = async (word: string, answers?: string[]) => {
    const io = testIo({
      input: 'helth:1',
      files: { 'ids.txt': 'colour:2' },
      env: { XDG_CONFIG_HOME: '/nowhere' },
      answers,
    });
    return [await cli(['gadget', 'tune', word, 'installed'], io, gadgetRegistry), io.said()];
  };
  expect(await said('-')).toEqual([EXIT.usage, expect.stringContaining("'helth'")]);
  expect(await said('@ids.txt')).toEqual([EXIT.usage, expect.stringContaining("'colour'")]);
  expect(await said('@gone.txt')).toEqual([EXIT.usage, expect.stringContaining("'@gone.txt'")]);
  expect(await said('@gone.txt')).toEqual([EXIT.usage, expect.stringContaining('            ^^^^^^^^^\n')]);
  // A person at the terminal types no input to the end.
  expect(await said('-', [])).toEqual([EXIT.usage, expect.stringContaining("'-'")]);
  expect(await said('*')).toEqual([EXIT.notPermitted, expect.stringContaining('http://127.0.0.1:7878')]);
});
