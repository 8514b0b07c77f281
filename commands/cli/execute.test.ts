import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

import { command, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { ASK } from '#commands/model/arg-value.ts';
import { message } from '#commands/text/message.ts';
import { p, required } from '#commands/model/params.ts';
import { testContext } from '#commands/testkit/context.ts';
import { complete, IncompleteLine } from './ask.ts';
import { cli } from './cli.ts';
import { contextOf, organizationOf } from './connection.ts';
import { Execution } from './execute.ts';
import { EXIT } from './io.ts';
import type { Globals } from './options.ts';
import { Printer } from './printer.ts';
import { gadget, simplePlan } from '#commands/testkit/gadget.ts';
import { testIo } from './testkit/io.ts';
import { gadgetRegistry, sayKey, testSession } from './testkit/plain.ts';

let ran = 0;
afterEach(() => void (ran = 0));

type Given = Parameters<typeof testIo>[0];
async function execute(
  of: Command,
  args: Args = {},
  globals: Globals = {},
  given: Given = {},
  session = testSession(),
) {
  const io = testIo(given);
  const execution = new Execution(gadgetRegistry, globals, io, new Printer(io, gadgetRegistry, sayKey), session);
  const code = await execution.of(of, args);
  return { code, out: io.stdout(), err: io.stderr(), asked: io.asked, statuses: io.statuses };
}
const count = async () => {
  ran++;
  return {};
};
const made = (spec: object = {}): Command =>
  command({ id: 'gadget.try', effect: 'write', plan: simplePlan, run: count, ...spec });
const plan = (more: object = {}) => ({
  plan: async () => ({ summary: message('x:sum'), count: 2, changes: [], reversible: true, ...more }),
});

test('what works not now is not run', async () => {
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
  expect([typed.code, ran]).toEqual([EXIT.ok, 6]);
  for (const wrong of ['', 'y', 'yes', 'Nort', 'north', 'Northern', 'North pump']) {
    const { code, err } = await execute(made(plan({ confirm: 'North' })), {}, {}, { answers: [wrong] });
    expect([code, err.includes('core:cli.confirm.declined')], wrong).toEqual([EXIT.failed, true]);
  }
  expect(ran).toBe(6);
});

test('what was said, handed out and can be undone is printed', async () => {
  const outcome = { message: message('x:said'), reveal: { label: message('x:code'), value: '1' } };
  const inverse = () => [{ id: 'gadget.reset', args: {} }];
  const of = made({ run: async () => outcome, inverse });
  expect(await execute(of)).toMatchObject({
    out: 'x:said\nx:code: 1\n',
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
  const run = async (context: { progress: (of: object) => void }) => {
    context.progress({ done: 1, total: 2 });
    context.progress({ done: 2, total: 2 });
    return {};
  };
  const { statuses, err } = await execute(made({ run }));
  expect([statuses, err]).toEqual([['core:cli.progress done=1 total=2', undefined], '']);
});

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

test('an editor of which no field is given is told which there are, and changes nothing', async () => {
  const params = { gadgets: p.many(() => gadget), name: p.text(), count: p.number(), bright: p.flag() };
  const edit = made({ params, positional: ['gadgets'], initial: async () => ({}) });
  const none = execute(edit, { gadgets: { ids: ['AAAA BBBB'] } });
  await expect(none).rejects.toMatchObject({
    userMessage: { key: 'core:cli.missing.any', values: { options: '--name TEXT, --count NUMBER, --bright' } },
  });
  await expect(none).rejects.toBeInstanceOf(IncompleteLine);
  expect(ran).toBe(0);
  // Whatever is given is given, also what clears.
  for (const given of [{ name: '' }, { bright: false }]) {
    expect((await execute(edit, { gadgets: { ids: ['AAAA BBBB'] }, ...given })).code).toBe(EXIT.ok);
  }
  expect(ran).toBe(2);
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

test('every sentence calls the program as it was started', async () => {
  const of = made({ inverse: () => [{ id: 'gadget.reset', args: {} }] });
  for (const program of ['quarterdeck', 'npx quarterdeck']) {
    expect((await execute(of, {}, {}, { program })).err).toBe(`core:cli.undo line=${program} undo\n`);
    const [stranger, helped] = [testIo({ program }), testIo({ program })];
    expect(await cli(['gadgets'], stranger, gadgetRegistry)).toBe(EXIT.notPermitted);
    expect(stranger.stderr()).toContain(`: run ${program} login, or`);
    await cli(['gadget', 'tune', '--help'], helped, gadgetRegistry);
    expect(helped.stdout()).toMatch(new RegExp(`^  ${program} gadget tune`, 'm'));
  }
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
  const text = async (word: string, answers?: string[]) => {
    const io = testIo({
      input: 'helth:1',
      files: { 'ids.txt': 'colour:2' },
      env: { XDG_CONFIG_HOME: '/nowhere' },
      answers,
    });
    return [await cli(['gadget', 'tune', word, 'installed'], io, gadgetRegistry), io.stderr()];
  };
  expect(await text('-')).toEqual([EXIT.usage, expect.stringContaining('“helth”')]);
  expect(await text('@ids.txt')).toEqual([EXIT.usage, expect.stringContaining('“colour”')]);
  expect(await text('@gone.txt')).toEqual([EXIT.usage, expect.stringContaining('“@gone.txt”')]);
  expect(await text('@gone.txt')).toEqual([EXIT.usage, expect.stringContaining('            ^^^^^^^^^\n')]);
  // A person at the terminal types no input to the end.
  expect(await text('-', [])).toEqual([EXIT.usage, expect.stringContaining('“-”')]);
  expect(await text('*')).toEqual([EXIT.notPermitted, expect.stringContaining('http://127.0.0.1:7878')]);
});

test('what another role, organization or feature would allow is not permitted, and anything else failed', async () => {
  const { acting, ...open } = testSession();
  const code = async (of: Command, changed: object) =>
    (await execute(of, {}, {}, {}, { ...open, acting: { ...acting, ...changed } })).code;
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
      context.host.output?.facts({ lines, json: { seen: at } });
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
    message: message('x:said'),
  });
  const spoken = { ...list, run } as Command;
  expect((await execute(spoken)).out).not.toContain('x:said');
  expect((await execute(made({ run: async () => ({ message: message('x:said') }) }))).out).toBe('x:said\n');
});

/** Where no history can be written: a file stands where its folder would be. */
function executeUnwritable(of: Command) {
  const file = join(mkdtempSync(join(tmpdir(), 'quarterdeck-unwritable-')), 'file');
  writeFileSync(file, '');
  return execute(of, {}, {}, { env: { XDG_CONFIG_HOME: file } });
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

test('a question that is interrupted ends the run as interrupted', async () => {
  const interrupting = async (ask: (io: ReturnType<typeof testIo>) => Promise<string>) => {
    const io = testIo({ answers: [], env: { XDG_CONFIG_HOME: '/nowhere' } });
    return [await cli(['login'], { ...io, ask: () => ask(io) }, gadgetRegistry), io.stderr()];
  };
  const cancelled = [EXIT.interrupted, 'Cancelled.\n'];
  expect(await interrupting(() => Promise.reject(new DOMException('', 'AbortError')))).toEqual(cancelled);
  const torn = async (io: ReturnType<typeof testIo>) => {
    io.interrupt();
    return Promise.reject(new Error('torn off'));
  };
  expect(await interrupting(torn)).toEqual(cancelled);
  const broken = await interrupting(() => Promise.reject(new Error('broken')));
  expect(broken).toEqual([EXIT.failed, expect.not.stringContaining('Cancelled.')]);
});

test('a server that does not answer is named, with how to name another', async () => {
  const server = 'http://127.0.0.1:1';
  const io = { ...testIo(), readInput: () => Promise.reject(new Error('Nobody writes to standard input.')) };
  expect(await cli(['login', '--server', server, '--token', 'secret'], io, gadgetRegistry)).toBe(EXIT.failed);
  expect(io.stderr()).toBe(`Cannot reach ${server}. --server or QUARTERDECK_SERVER names another server.\n`);
  // One that no option named, but standard input or an answer.
  for (const given of [{ input: `${server}\nsecret\n` }, { answers: [server, 'secret'] }]) {
    const piped = testIo(given);
    expect(await cli(['login'], piped, gadgetRegistry)).toBe(EXIT.failed);
    expect(piped.stderr()).toContain(`Cannot reach ${server}.`);
  }
  const run = testIo();
  expect(await cli(['gadgets', '--server', server, '--token', 'secret'], run, gadgetRegistry)).toBe(EXIT.failed);
  expect(run.stderr()).toContain(`Cannot reach ${server}.`);
  const none = testIo();
  expect(await cli(['login', '--server', server], none, gadgetRegistry)).toBe(EXIT.usage);
  expect(none.stderr()).toContain('A token is needed');
  expect(none.stderr()).not.toContain('Cannot reach');
});

test('an option without its value is named, and words after login or logout are no sign-in', async () => {
  const sentence = async (...argv: string[]) => {
    const io = testIo({ env: { XDG_CONFIG_HOME: '/nowhere' } });
    return [await cli(argv, io, gadgetRegistry), io.stderr()];
  };
  expect(await sentence('gadgets', '--org')).toEqual([EXIT.usage, expect.stringContaining('--org')]);
  expect(await sentence('login', 'now')).toEqual([EXIT.usage, '“login” takes no “now”.\n']);
  expect(await sentence('logout', 'now')).toEqual([EXIT.usage, '“logout” takes no “now”.\n']);
  expect(await sentence('undo', '2')).toEqual([EXIT.usage, '“undo” takes no “2”.\n']);
  expect(await sentence('undo', '--pln')).toEqual([EXIT.usage, expect.stringContaining('Did you mean --plan?')]);
  expect((await sentence('logout'))[0]).toBe(EXIT.ok);
  // Of a line that goes on in another there is nothing to point at.
  const [code, text] = await sentence('gadget', 'tune', 'helth:1\nx', 'installed');
  expect([code, String(text).includes('^')]).toEqual([EXIT.usage, false]);
});
