import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { shellQuote } from '#commands/line/shell.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { createIdToken } from '#server/testkit/server.ts';

import { EXIT } from './io.ts';
import { startTerminals, type RunResult, type Terminals } from './testkit/server.ts';

let terminals: Terminals;
beforeAll(async () => {
  terminals = await startTerminals();
});
afterAll(() => terminals.close());

const total = async (filter: string): Promise<number> => {
  const { out } = await terminals.run('operator', ['devices', filter, '--json']);
  return (JSON.parse(out) as { total: number }).total;
};

describe('a list command', () => {
  test('prints aligned tables in the requested order', async () => {
    const { code, out, err } = await terminals.run('operator', [
      'devices',
      'health:ERROR',
      '--sort',
      '-name',
      '--limit',
      '3',
    ]);
    expect(code).toBe(EXIT.ok);
    const [head = '', ...rows] = out.trimEnd().split('\n');
    expect(rows).toHaveLength(3);
    const names = rows.map((row) => row.slice(head.indexOf('Name')).split('  ')[0] ?? '');
    expect(names).toEqual(names.toSorted((a, b) => b.localeCompare(a)));
    expect(err).toContain('Use --limit to see more');
  });

  test('prints JSON with --json', async () => {
    const { out } = await terminals.run('operator', ['devices', 'health:ERROR', '--json']);
    const { total: count, items } = JSON.parse(out) as { total: number; items: { number: string }[] };
    expect(items).toHaveLength(count);
    expect(items[0]?.number).toMatch(/^[0-9A-F]{4} [0-9A-F]{4}$/);
  });

  test('points at an invalid filter and names the unknown key', async () => {
    const { code, err } = await terminals.run('operator', ['devices', 'helth:ERROR']);
    expect(code).toBe(EXIT.usage);
    expect(err).toContain('devices helth:ERROR\n        ^^^^^^^^^^^\n');
    expect(err).toContain('“helth”');
  });
});

describe('an invalid line', () => {
  // [words, number of words before the invalid word]
  test.each([
    [['devices', 'health:PURPLE'], 1],
    [['devices', 'tag:nosuch'], 1],
    [['devices', 'health:OK', 'last>2d', 'tag:nosuch'], 1],
    [['devices', '--limit', '3', '--sort', 'bogus'], 4],
    [['devices', 'sort:bogus', '--sort', 'name'], 1],
    [['devices', '--limit', '0'], 2],
    [['device', 'set-lifecycle', 'health:PURPLE', 'PAUSED'], 2],
    [['device', 'open', 'AAAA'], 2],
    [['tag', 'assign', 'AAAA BBBB', '--tag', 'x'], 2],
    [['tag', 'assign', 'A', '--tag', 'x'], 2],
    [['device', 'set-lifecycle', 'A*', 'PAUSED'], 2],
  ])('%j is a usage error that marks the invalid word', async (argv, wordsBefore) => {
    const { code, out, err } = await terminals.run('operator', argv);
    const [line = '', mark = ''] = err.split('\n');
    expect([code, out, line]).toEqual([EXIT.usage, '', argv.map(shellQuote).join(' ')]);
    const column = `${argv.slice(0, wordsBefore).map(shellQuote).join(' ')} `.length;
    expect(mark).toMatch(new RegExp(`^ {${column}}\\^+$`));
  });

  test('treats a filter without matches as a failed change, not a usage error', async () => {
    const argv = ['tag', 'assign', '* no such device', '--tag', 'x', '--yes'];
    const { code, err } = await terminals.run('operator', argv);
    expect([code, err]).toEqual([EXIT.failed, 'No device matches “no such device”. Change the filter.\n']);
  });

  test('answers an unknown name with the nearest names and a suggested search', async () => {
    const { err } = await terminals.run('operator', ['tag', 'assign', 'A', '--tag', 'x', '--plan']);
    expect(err).toMatch(/No device is named “A”\. Did you mean .+\? .+“\* A”\.\n$/);
  });

  test('exits with a usage error if the server rejects a value', async () => {
    const privateAddress = await terminals.run('administrator', ['webhook', 'create', 'http://10.0.0.1/']);
    expect([privateAddress.code, privateAddress.err]).toEqual([
      EXIT.usage,
      "Deliveries to this address aren't allowed: 10.0.0.1 isn't a public address (private).\n",
    ]);
    const listing = await terminals.run('operator', ['devices', 'AAAA BBBB', '--json']);
    expect([listing.code, listing.out]).toEqual([EXIT.ok, expect.stringContaining('"total": 0')]);
    const byNumber = await terminals.run('operator', ['devices', 'number:"AAAA BBBB"']);
    expect([byNumber.code, byNumber.out]).toEqual([EXIT.usage, '']);
  });

  test('never repeats a secret', async () => {
    const create = ['webhook', 'create', 'https://example.com/', '--secret', 'hunter2'];
    for (const wrong of [
      ['--evnts', 'x'],
      ['--tags', 'nosuch'],
    ]) {
      const { code, err } = await terminals.run('developer', [...create, ...wrong]);
      expect([code, err]).toEqual([EXIT.usage, expect.not.stringContaining('hunter2')]);
      expect(err).toContain(wrong[0] === '--tags' ? 'nosuch' : '--evnts');
      expect(err).not.toContain('^');
    }
  });
});

describe('a bulk change', () => {
  const assign = ['tag', 'assign', 'health:ERROR', '--tag', 'Needs visit'];

  test('shows its plan first and requires --yes if there is no terminal', async () => {
    const plan = await terminals.run('operator', [...assign, '--plan']);
    expect([plan.code, plan.out]).toEqual([EXIT.ok, expect.stringContaining('Northwind Energy')]);
    expect(plan.out).toContain('It can be undone.');
    const rejectedRun = await terminals.run('operator', assign);
    expect([rejectedRun.code, rejectedRun.out]).toEqual([EXIT.usage, '']);
    expect(rejectedRun.err).toContain('--yes');
    expect(
      (await terminals.server.as('operator').client(TagService).list({})).tags.map((tag) => tag.label?.name),
    ).not.toContain('Needs visit');
  });

  test('runs after confirmation, can be undone, and can run again', async () => {
    const faultyCount = await total('health:ERROR');
    const completedRun = await terminals.run('operator', assign, { answers: ['y'] });
    expect(completedRun.code).toBe(EXIT.ok);
    expect(await total('tag:"Needs visit"')).toBe(faultyCount);
    expect(completedRun.err).toMatch(/^undo: npx quarterdeck undo$/m);
    expect((await terminals.run('operator', ['undo'])).code).toBe(EXIT.ok);
    expect(await total('tag:"Needs visit"')).toBe(0);
    const secondRun = JSON.parse((await terminals.run('operator', [...assign, '--yes', '--json'])).out) as {
      results: unknown[];
    };
    expect(secondRun.results).toHaveLength(faultyCount);
  });

  test('reads ids from standard input', async () => {
    const { out } = await terminals.run('operator', ['devices', 'health:OK', '--limit', '2', '--json']);
    const input = (JSON.parse(out) as { items: { number: string }[] }).items.map((item) => item.number).join('\n');
    const run = await terminals.run('operator', ['tag', 'assign', '-', '--tag', 'From a pipe', '--yes'], { input });
    expect(run.code).toBe(EXIT.ok);
    expect(await total('tag:"From a pipe"')).toBe(2);
  });

  test('does nothing unless the answer is yes', async () => {
    const { code } = await terminals.run('operator', ['tag', 'assign', '*', '--tag', 'Everything'], { answers: ['n'] });
    expect(code).toBe(EXIT.failed);
    expect(
      (await terminals.server.as('operator').client(TagService).list({})).tags.map((tag) => tag.label?.name),
    ).not.toContain('Everything');
  });
});

describe('access control', () => {
  const rejection = ({ code, err }: RunResult) => ({ code, err });

  test("reports the user's missing permissions", async () => {
    const result = await terminals.run('viewer', ['tag', 'assign', 'health:ERROR', '--tag', 'Needs visit', '--yes']);
    expect(rejection(result)).toEqual({
      code: EXIT.notPermitted,
      err: expect.stringContaining('“Create, change, and delete tags” and “Change device names'),
    });
  });

  test('requires a token and rejects an invalid one', async () => {
    const runWithoutToken = await terminals.run('viewer', ['devices'], { env: { QUARTERDECK_TOKEN: '' } });
    expect(rejection(runWithoutToken)).toEqual({
      code: EXIT.notPermitted,
      err: expect.stringContaining('quarterdeck login'),
    });
    for (const wrong of ['nonsense', 'qd_nonsense']) {
      const { code, err } = await terminals.run('viewer', ['devices', '--token', wrong]);
      expect([code, err.includes('ID token')]).toEqual([EXIT.notPermitted, false]);
      expect(err).toMatch(/^Unknown API token\. .+ token create, .+ quarterdeck login\.\n$/);
    }
  });

  test('lets support change another organization only after changes are allowed', async () => {
    const rejectedRun = await terminals.run('support', ['tag', 'create', 'Seen', '--org', 'northwind']);
    expect(rejectedRun.code).toBe(EXIT.notPermitted);
    expect(rejectedRun.err).toContain('read-only');
    await terminals.run('support', ['support', 'allow-changes', 'ticket 4711', '--org', 'northwind']);
    const plan = await terminals.run('support', [
      'tag',
      'assign',
      'health:ERROR',
      '--tag',
      'Seen',
      '--plan',
      '--org',
      'northwind',
    ]);
    expect(plan.out).toContain('Northwind Energy (northwind), which is not your own organization');
    const completedRun = await terminals.run('support', [
      'tag',
      'assign',
      'health:ERROR',
      '--tag',
      'Seen',
      '--yes',
      '--org',
      'northwind',
    ]);
    expect(completedRun.err).toMatch(/^undo: npx quarterdeck undo --org northwind$/m);
    expect((await terminals.run('operator', ['devices', '--org', 'quarterdeck'])).code).toBe(EXIT.notPermitted);
  });
});

describe('signing in', () => {
  test('saves an accepted login and uses it until logout', async () => {
    const env = { QUARTERDECK_TOKEN: '', QUARTERDECK_SERVER: '' };
    const rejectedLogin = await terminals.run('operator', ['login'], { env, answers: [terminals.url, 'nonsense'] });
    expect(rejectedLogin.code).toBe(EXIT.notPermitted);
    const acceptedLogin = await terminals.run('operator', ['login'], {
      env,
      answers: [terminals.url, terminals.server.as('operator').bearer ?? ''],
    });
    expect([acceptedLogin.code, acceptedLogin.err]).toEqual([EXIT.ok, expect.stringContaining('Anna Vermeer')]);
    // Only the token is hidden while typing.
    expect([acceptedLogin.prompts.length, acceptedLogin.hiddenPrompts]).toEqual([2, acceptedLogin.prompts.slice(1)]);
    expect((await terminals.run('operator', ['devices', '--limit', '1'], { env })).code).toBe(EXIT.ok);
    const logoutRun = await terminals.run('operator', ['logout'], { env });
    expect([logoutRun.code, logoutRun.err]).toEqual([EXIT.ok, expect.stringContaining('Signed out')]);
    expect((await terminals.run('operator', ['devices'], { env })).code).toBe(EXIT.notPermitted);
    const repeatedLogout = await terminals.run('operator', ['logout'], { env });
    expect([repeatedLogout.code, repeatedLogout.err]).toEqual([EXIT.ok, "You weren't signed in.\n"]);
  });
});

describe('signing in at a terminal', () => {
  const token = (): string => terminals.server.as('operator').bearer ?? '';
  const emptyEnv = { QUARTERDECK_TOKEN: '', QUARTERDECK_SERVER: '' };
  const login = async (argv: string[], answers: string[], env: Record<string, string> = emptyEnv) => {
    const result = await terminals.run('operator', ['login', ...argv], { env, answers });
    await terminals.run('operator', ['logout'], { env: emptyEnv });
    return [result.code, result.err.includes(`Signed in to ${terminals.url} as Anna Vermeer`), result.prompts.length];
  };

  test('prompts only for values that no option provides, and trims the answers', async () => {
    expect(await login([], [` ${terminals.url} `, ` ${token()} `])).toEqual([EXIT.ok, true, 2]);
    expect(await login(['--server', terminals.url], [token()])).toEqual([EXIT.ok, true, 1]);
    expect(await login(['--token', token()], [terminals.url])).toEqual([EXIT.ok, true, 1]);
    expect(await login(['--server', terminals.url, '--token', token()], [])).toEqual([EXIT.ok, true, 0]);
  });

  test('repeats the prompt after an invalid address, before asking for the token', async () => {
    expect(await login([], ['127.0.0.1', terminals.url, token()])).toEqual([EXIT.ok, true, 3]);
    const { err } = await terminals.run('operator', ['login'], {
      env: emptyEnv,
      answers: ['nonsense', terminals.url, token()],
    });
    expect(err).toContain('nonsense');
    await terminals.run('operator', ['logout'], { env: emptyEnv });
  });

  test('keeps the configured server if the answer is empty', async () => {
    expect(await login([], ['', token()], { ...emptyEnv, QUARTERDECK_SERVER: terminals.url })).toEqual([
      EXIT.ok,
      true,
      2,
    ]);
  });

  test('shows the email address of a user without a name and identifies the CLI to the server', async () => {
    const bearer = createIdToken({ id: 'nameless', email: 'nameless@example.com', name: '' });
    const { err } = await terminals.run('operator', ['login', '--server', terminals.url, '--token', bearer], {
      env: emptyEnv,
      answers: [],
    });
    expect(err).toContain('as nameless@example.com');
    await terminals.run('operator', ['logout'], { env: emptyEnv });
    const { signIns } = await terminals.server.with(bearer).client(SessionService).list({});
    expect(signIns.map(({ client }) => client)).toContain('quarterdeck-cli 0.261.0');
  });
});

describe('signing in without a terminal', () => {
  const env = { QUARTERDECK_TOKEN: '', QUARTERDECK_SERVER: '' };
  const token = (): string => terminals.server.as('operator').bearer ?? '';
  const otherServer = 'http://127.0.0.1:1';

  test.each([
    ['the address and the token, one per line', () => `${terminals.url}\n${token()}\n`, []],
    ['both lines, with spaces around them', () => `  ${terminals.url} \n\n ${token()} \n`, []],
    ['both lines, with Windows line breaks', () => `${terminals.url}\r\n${token()}\r\n`, []],
    ['only the token', () => `${token()}\n`, ['--server', 'URL']],
    ['only the address', () => `${terminals.url}\n`, ['--token', 'TOKEN']],
    ['both lines, although an option names the server', () => `${otherServer}\n${token()}`, ['--server', 'URL']],
  ])('reads from standard input: %s', async (_, input, options) => {
    const argv = [
      'login',
      ...options.map((option) => (option === 'URL' ? terminals.url : option === 'TOKEN' ? token() : option)),
    ];
    const result = await terminals.run('operator', argv, { env, input: input() });
    expect([result.code, result.err]).toEqual([
      EXIT.ok,
      expect.stringContaining(`Signed in to ${terminals.url} as Anna Vermeer`),
    ]);
    expect((await terminals.run('operator', ['devices', '--limit', '1'], { env })).code).toBe(EXIT.ok);
    await terminals.run('operator', ['logout'], { env });
  });

  test.each([
    ['empty input', () => '', [], 'A token is required'],
    ['only an address', () => terminals.url, [], 'A token is required'],
    ['three lines', () => `${terminals.url}\n${token()}\nmore`, [], 'too many lines'],
    ['a first line that is not a URL', () => `${token()}\n${terminals.url}`, [], "isn't a server URL"],
    ['a token with a space', () => `${terminals.url}\nto ken`, [], 'The token has spaces'],
    ['a multi-line token as an option', () => '', ['--token', 'a\nb'], 'The token has spaces'],
    ['a non-ASCII token as an option', () => '', ['--token', 'tökèn✓'], 'The token has spaces'],
  ])('rejects %s', async (_, input, options, expected) => {
    const result = await terminals.run('operator', ['login', ...options], { env, input: input() });
    expect(result.err).toContain(expected);
    // Any line of the piped input may be the token.
    expect(result.err).not.toContain(token());
    expect(result.code).toBe(EXIT.usage);
  });
});

describe('an incomplete line', () => {
  test('prompts in a terminal and names the missing argument elsewhere', async () => {
    const args = ['tag', 'create'];
    const unattendedRun = await terminals.run('administrator', args);
    expect([unattendedRun.code, unattendedRun.err]).toEqual([
      EXIT.usage,
      expect.stringContaining('What name? Write it after'),
    ]);
    const promptedRun = await terminals.run('administrator', args, { answers: ['', 'From a prompt'] });
    expect(promptedRun.code).toBe(EXIT.ok);
    expect(
      (await terminals.server.as('operator').client(TagService).list({})).tags.map((tag) => tag.label?.name),
    ).toContain('From a prompt');
  });
});
