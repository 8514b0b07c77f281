import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { idTokenOf } from '#server/testkit/server.ts';

import { shellQuote } from '#commands/line/shell.ts';
import { EXIT } from './io.ts';
import { startTerminals, type Ran, type Terminals } from './testkit/server.ts';

let s: Terminals;
beforeAll(async () => {
  s = await startTerminals();
});
afterAll(() => s.close());

const total = async (filter: string): Promise<number> => {
  const { out } = await s.run('operator', ['devices', filter, '--json']);
  return (JSON.parse(out) as { total: number }).total;
};

describe('lists', () => {
  test('are aligned tables for people, in the order asked for', async () => {
    const { code, out, err } = await s.run('operator', ['devices', 'health:ERROR', '--sort', '-name', '--limit', '3']);
    expect(code).toBe(EXIT.ok);
    const [head = '', ...rows] = out.trimEnd().split('\n');
    expect(rows).toHaveLength(3);
    const names = rows.map((row) => row.slice(head.indexOf('Name')).split('  ')[0] ?? '');
    expect(names).toEqual(names.toSorted((a, b) => b.localeCompare(a)));
    expect(err).toContain('--limit shows more');
  });

  test('are JSON for machines', async () => {
    const { out } = await s.run('operator', ['devices', 'health:ERROR', '--json']);
    const { total: count, items } = JSON.parse(out) as { total: number; items: { number: string }[] };
    expect(items).toHaveLength(count);
    expect(items[0]?.number).toMatch(/^[0-9A-F]{4} [0-9A-F]{4}$/);
  });

  test('say what is wrong with a filter, where, and what would be right', async () => {
    const { code, err } = await s.run('operator', ['devices', 'helth:ERROR']);
    expect(code).toBe(EXIT.usage);
    expect(err).toContain('devices helth:ERROR\n        ^^^^^^^^^^^\n');
    expect(err).toContain('“helth”');
  });
});

describe('a wrong line', () => {
  // [the words, how many of them stand before the one that is wrong]
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
  ])('%j is not understood, and the wrong word is marked', async (argv, before) => {
    const { code, out, err } = await s.run('operator', argv);
    const [line = '', mark = ''] = err.split('\n');
    expect([code, out, line]).toEqual([EXIT.usage, '', argv.map(shellQuote).join(' ')]);
    const at = `${argv.slice(0, before).map(shellQuote).join(' ')} `.length;
    expect(mark).toMatch(new RegExp(`^ {${at}}\\^+$`));
  });

  test('a filter that nothing matches is a right one: the change failed', async () => {
    const argv = ['tag', 'assign', '* nothing is called so', '--tag', 'x', '--yes'];
    const { code, err } = await s.run('operator', argv);
    expect([code, err]).toEqual([EXIT.failed, 'No device matches “nothing is called so”.\n']);
  });

  test('an unknown name gets the nearest names and how to search', async () => {
    const { err } = await s.run('operator', ['tag', 'assign', 'A', '--tag', 'x', '--plan']);
    expect(err).toMatch(/There is no device “A”\. Did you mean .+\? .+“\* A”\.\n$/);
  });

  test('what the server refuses about it or does not find is wrong too', async () => {
    const inside = await s.run('administrator', ['webhook', 'create', 'http://10.0.0.1/']);
    expect([inside.code, inside.err]).toEqual([
      EXIT.usage,
      'Deliveries do not go there: 10.0.0.1 is not a public address (private).\n',
    ]);
    const unknown = await s.run('operator', ['devices', 'AAAA BBBB', '--json']);
    expect([unknown.code, unknown.out]).toEqual([EXIT.ok, expect.stringContaining('"total": 0')]);
    const named = await s.run('operator', ['devices', 'number:"AAAA BBBB"']);
    expect([named.code, named.out]).toEqual([EXIT.usage, '']);
  });

  test('what was typed as a secret is never repeated', async () => {
    const create = ['webhook', 'create', 'https://example.com/', '--secret', 'hunter2'];
    for (const wrong of [
      ['--evnts', 'x'],
      ['--tags', 'nosuch'],
    ]) {
      const { code, err } = await s.run('developer', [...create, ...wrong]);
      expect([code, err]).toEqual([EXIT.usage, expect.not.stringContaining('hunter2')]);
      expect(err).toContain(wrong[0] === '--tags' ? 'nosuch' : '--evnts');
      expect(err).not.toContain('^');
    }
  });
});

describe('what changes many things', () => {
  const assign = ['tag', 'assign', 'health:ERROR', '--tag', 'Needs visit'];

  test('is planned first, and refused without --yes where nobody can be asked', async () => {
    const plan = await s.run('operator', [...assign, '--plan']);
    expect([plan.code, plan.out]).toEqual([EXIT.ok, expect.stringContaining('Northwind Energy')]);
    expect(plan.out).toContain('It can be undone.');
    const refused = await s.run('operator', assign);
    expect([refused.code, refused.out]).toEqual([EXIT.usage, '']);
    expect(refused.err).toContain('--yes');
    expect((await s.t.as('operator').client(TagService).list({})).tags.map((tag) => tag.label?.name)).not.toContain(
      'Needs visit',
    );
  });

  test('is done after a yes, and undone by the line it prints, and done again', async () => {
    const faulty = await total('health:ERROR');
    const done = await s.run('operator', assign, { answers: ['y'] });
    expect(done.code).toBe(EXIT.ok);
    expect(await total('tag:"Needs visit"')).toBe(faulty);
    expect(done.err).toMatch(/^undo: npx quarterdeck undo$/m);
    expect((await s.run('operator', ['undo'])).code).toBe(EXIT.ok);
    expect(await total('tag:"Needs visit"')).toBe(0);
    const again = JSON.parse((await s.run('operator', [...assign, '--yes', '--json'])).out) as { results: unknown[] };
    expect(again.results).toHaveLength(faulty);
  });

  test('takes ids from standard input', async () => {
    const { out } = await s.run('operator', ['devices', 'health:OK', '--limit', '2', '--json']);
    const input = (JSON.parse(out) as { items: { number: string }[] }).items.map((item) => item.number).join('\n');
    const run = await s.run('operator', ['tag', 'assign', '-', '--tag', 'From a pipe', '--yes'], { input });
    expect(run.code).toBe(EXIT.ok);
    expect(await total('tag:"From a pipe"')).toBe(2);
  });

  test('does nothing after anything but a yes', async () => {
    const { code } = await s.run('operator', ['tag', 'assign', '*', '--tag', 'Everything'], { answers: ['n'] });
    expect(code).toBe(EXIT.failed);
    expect((await s.t.as('operator').client(TagService).list({})).tags.map((tag) => tag.label?.name)).not.toContain(
      'Everything',
    );
  });
});

describe('who may', () => {
  const message = ({ code, err }: Ran) => ({ code, err });

  test('a person without the permission is told which one', async () => {
    const ran = await s.run('viewer', ['tag', 'assign', 'health:ERROR', '--tag', 'Needs visit', '--yes']);
    expect(message(ran)).toEqual({
      code: EXIT.notPermitted,
      err: expect.stringContaining('“Create, change and delete tags, Change devices'),
    });
  });

  test('without a token nobody is signed in; with a wrong one neither', async () => {
    const none = await s.run('viewer', ['devices'], { env: { QUARTERDECK_TOKEN: '' } });
    expect(message(none)).toEqual({ code: EXIT.notPermitted, err: expect.stringContaining('quarterdeck login') });
    for (const wrong of ['nonsense', 'qd_nonsense']) {
      const { code, err } = await s.run('viewer', ['devices', '--token', wrong]);
      expect([code, err.includes('ID token')]).toEqual([EXIT.notPermitted, false]);
      expect(err).toMatch(/^The API token is not known here: .+ token create, .+ quarterdeck login\.\n$/);
    }
  });

  test('support acts for another organization once it allowed itself to change things, and every plan says so', async () => {
    const refused = await s.run('support', ['tag', 'create', 'Seen', '--org', 'northwind']);
    expect(refused.code).toBe(EXIT.notPermitted);
    expect(refused.err).toContain('read-only');
    await s.run('support', ['support', 'allow-changes', 'ticket 4711', '--org', 'northwind']);
    const plan = await s.run('support', [
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
    const done = await s.run('support', [
      'tag',
      'assign',
      'health:ERROR',
      '--tag',
      'Seen',
      '--yes',
      '--org',
      'northwind',
    ]);
    expect(done.err).toMatch(/^undo: npx quarterdeck undo --org northwind$/m);
    expect((await s.run('operator', ['devices', '--org', 'quarterdeck'])).code).toBe(EXIT.notPermitted);
  });
});

describe('signing in', () => {
  test('keeps what the server accepted, for runs without a token', async () => {
    const env = { QUARTERDECK_TOKEN: '', QUARTERDECK_SERVER: '' };
    const wrong = await s.run('operator', ['login'], { env, answers: [s.url, 'nonsense'] });
    expect(wrong.code).toBe(EXIT.notPermitted);
    const right = await s.run('operator', ['login'], { env, answers: [s.url, s.t.as('operator').bearer ?? ''] });
    expect([right.code, right.err]).toEqual([EXIT.ok, expect.stringContaining('Anna Vermeer')]);
    // The token alone is not shown while it is typed.
    expect([right.asked.length, right.hidden]).toEqual([2, right.asked.slice(1)]);
    expect((await s.run('operator', ['devices', '--limit', '1'], { env })).code).toBe(EXIT.ok);
    const loggedOut = await s.run('operator', ['logout'], { env });
    expect([loggedOut.code, loggedOut.err]).toEqual([EXIT.ok, expect.stringContaining('Signed out')]);
    expect((await s.run('operator', ['devices'], { env })).code).toBe(EXIT.notPermitted);
    const again = await s.run('operator', ['logout'], { env });
    expect([again.code, again.err]).toEqual([EXIT.ok, 'You were not signed in.\n']);
  });
});

describe('signing in at a terminal', () => {
  const token = (): string => s.t.as('operator').bearer ?? '';
  const none = { QUARTERDECK_TOKEN: '', QUARTERDECK_SERVER: '' };
  const login = async (argv: string[], answers: string[], env: Record<string, string> = none) => {
    const ran = await s.run('operator', ['login', ...argv], { env, answers });
    await s.run('operator', ['logout'], { env: none });
    return [ran.code, ran.err.includes(`Signed in to ${s.url} as Anna Vermeer`), ran.asked.length];
  };

  test('asks for what no option names, and takes an answer with spaces around it', async () => {
    expect(await login([], [` ${s.url} `, ` ${token()} `])).toEqual([EXIT.ok, true, 2]);
    expect(await login(['--server', s.url], [token()])).toEqual([EXIT.ok, true, 1]);
    expect(await login(['--token', token()], [s.url])).toEqual([EXIT.ok, true, 1]);
    expect(await login(['--server', s.url, '--token', token()], [])).toEqual([EXIT.ok, true, 0]);
  });

  test('asks again for an address that is none, before it asks for the token', async () => {
    expect(await login([], ['127.0.0.1', s.url, token()])).toEqual([EXIT.ok, true, 3]);
    const { err } = await s.run('operator', ['login'], { env: none, answers: ['nonsense', s.url, token()] });
    expect(err).toContain('nonsense');
    await s.run('operator', ['logout'], { env: none });
  });

  test('keeps the server that it names when the answer is empty', async () => {
    expect(await login([], ['', token()], { ...none, QUARTERDECK_SERVER: s.url })).toEqual([EXIT.ok, true, 2]);
  });

  test('calls somebody by their address who has no name, and the server knows the program', async () => {
    const bearer = idTokenOf({ id: 'nameless', email: 'nameless@example.com', name: '' });
    const { err } = await s.run('operator', ['login', '--server', s.url, '--token', bearer], {
      env: none,
      answers: [],
    });
    expect(err).toContain('as nameless@example.com');
    await s.run('operator', ['logout'], { env: none });
    const { signIns } = await s.t.with(bearer).client(SessionService).list({});
    expect(signIns.map(({ client }) => client)).toContain('quarterdeck-cli 0.261.0');
  });
});

describe('signing in without a terminal', () => {
  const env = { QUARTERDECK_TOKEN: '', QUARTERDECK_SERVER: '' };
  const token = (): string => s.t.as('operator').bearer ?? '';
  const elsewhere = 'http://127.0.0.1:1';

  test.each([
    ['both lines', () => `${s.url}\n${token()}\n`, []],
    ['both lines with spaces around', () => `  ${s.url} \n\n ${token()} \n`, []],
    ['both lines of Windows', () => `${s.url}\r\n${token()}\r\n`, []],
    ['the token alone', () => `${token()}\n`, ['--server', 'URL']],
    ['the address alone', () => `${s.url}\n`, ['--token', 'TOKEN']],
    ['both, though an option names the server', () => `${elsewhere}\n${token()}`, ['--server', 'URL']],
  ])('takes %s from standard input', async (_, input, options) => {
    const argv = [
      'login',
      ...options.map((option) => (option === 'URL' ? s.url : option === 'TOKEN' ? token() : option)),
    ];
    const ran = await s.run('operator', argv, { env, input: input() });
    expect([ran.code, ran.err]).toEqual([EXIT.ok, expect.stringContaining(`Signed in to ${s.url} as Anna Vermeer`)]);
    expect((await s.run('operator', ['devices', '--limit', '1'], { env })).code).toBe(EXIT.ok);
    await s.run('operator', ['logout'], { env });
  });

  test.each([
    ['nothing', () => '', [], 'A token is needed'],
    ['an address alone', () => s.url, [], 'A token is needed'],
    ['three lines', () => `${s.url}\n${token()}\nmore`, [], 'too many lines'],
    ['a first line that is no address', () => `${token()}\n${s.url}`, [], 'is not the address of a server'],
    ['a token with a space', () => `${s.url}\nto ken`, [], 'The token has spaces'],
    ['a token of several lines as an option', () => '', ['--token', 'a\nb'], 'The token has spaces'],
    ['a token beyond ASCII as an option', () => '', ['--token', 'tökèn✓'], 'The token has spaces'],
  ])('says what is wrong with %s', async (_, input, options, sentence) => {
    const ran = await s.run('operator', ['login', ...options], { env, input: input() });
    expect(ran.err).toContain(sentence);
    // What was piped in may be a token, wherever it stands.
    expect(ran.err).not.toContain(token());
    expect(ran.code).toBe(EXIT.usage);
  });
});

describe('an incomplete line', () => {
  test('is asked about in a terminal, and named where nobody can answer', async () => {
    const args = ['tag', 'create'];
    const alone = await s.run('administrator', args);
    expect([alone.code, alone.err]).toEqual([EXIT.usage, expect.stringContaining('What name? Write it after')]);
    const asked = await s.run('administrator', args, { answers: ['', 'Asked for'] });
    expect(asked.code).toBe(EXIT.ok);
    expect((await s.t.as('operator').client(TagService).list({})).tags.map((tag) => tag.label?.name)).toContain(
      'Asked for',
    );
  });
});
