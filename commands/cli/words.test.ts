import { expect, test } from 'vitest';

import manifest from '../../package.json' with { type: 'json' };
import { EXIT } from './io.ts';
import { main } from './main.ts';
import { testIo } from './testkit/io.ts';

async function run(...argv: string[]) {
  const io = testIo();
  const code = await main(argv, io);
  return { code, out: io.stdout(), err: io.stderr() };
}

test.each([
  [['devcies'], 'devices'],
  [['devise', 'list'], 'device'],
  [['device', 'lst'], 'device list'],
  [['tag', 'asign', 'x'], 'tag assign'],
  [['asign'], 'tag assign'],
  [['logn'], 'login'],
  [['udno'], 'undo'],
  [['devices', '--lmit', '5'], '--limit'],
  [['devices', '--jsn'], '--json'],
  [['--jsn', 'devices'], '--json'],
  [['device', 'set-lifecycle', 'health:ERROR', 'instaled'], 'INSTALLED'],
  [['devcies', '--help'], 'devices'],
  [['help', 'devcies'], 'devices'],
])('suggests a correction for %j', async (argv, suggestion) => {
  expect(await run(...argv)).toEqual({
    code: EXIT.usage,
    out: '',
    err: expect.stringMatching(new RegExp(`Did you mean ${suggestion}(, [^?]*)?\\?`)),
  });
});

test('lists the options of every command if the first word is an unknown one', async () => {
  const { code, err } = await run('--color', 'devices');
  expect([code, err]).toEqual([EXIT.usage, expect.stringMatching(/^“--color” isn't an option\b.*--json/)]);
});

test('lists the same nouns as the help if a word is unknown', async () => {
  const { err } = await run('qqqq');
  const listedNouns = /Start with one of: (.*)\.\n/.exec(err)?.[1]?.split(', ');
  const help = (await run('--help')).out;
  const rows = help.slice(help.indexOf('Nouns'), help.indexOf('Options')).matchAll(/^ {2}(\S+) {2,}/gm);
  const nouns = [...rows].map(([, noun = '']) => noun);
  expect(nouns.length).toBeGreaterThan(10);
  expect(listedNouns?.toSorted()).toEqual(nouns.toSorted());
  expect(listedNouns).not.toContain('view');
});

test('reports that a console-only noun works only in the console', async () => {
  for (const argv of [['app'], ['app', 'theme', 'dark'], ['app', '--help'], ['view', 'nothing']]) {
    const { code, err } = await run(...argv);
    expect([code, err], argv.join(' ')).toEqual([EXIT.usage, expect.stringContaining('works only in the console')]);
  }
});

test('prints the version of the package', async () => {
  expect(await run('--version')).toEqual({ code: EXIT.ok, out: `${manifest.version}\n`, err: '' });
  expect((await run('devices', '--version')).out).toBe(`${manifest.version}\n`);
});

test('uses titles that describe what commands do in a terminal', async () => {
  const title = async (...argv: string[]) => (await run(...argv, '--help')).out.split('\n')[0];
  expect(await title('devices')).toBe('List devices');
  expect(await title('device', 'open')).toBe('Show one device');
  expect(await title('me', 'profile')).toBe('Show your profile');
  expect(await title('tag', 'assign')).toBe('Assign tag');
  expect(await title('undo')).toContain('Undo the last change');
  const { out } = await run('--help');
  expect(out).not.toContain('Go to');
});
