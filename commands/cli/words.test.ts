import { expect, test } from 'vitest';

import manifest from '../../package.json' with { type: 'json' };
import { main } from './main.ts';
import { EXIT } from './io.ts';
import { testIo } from './testkit/io.ts';

async function message(...argv: string[]) {
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
  [['device', 'set-lifecycle', 'health:ERROR', 'instaled'], 'INSTALLED'],
  [['devcies', '--help'], 'devices'],
  [['help', 'devcies'], 'devices'],
])('%j is answered with what was meant', async (argv, near) => {
  expect(await message(...argv)).toEqual({
    code: EXIT.usage,
    out: '',
    err: expect.stringMatching(new RegExp(`Did you mean ${near}(, [^?]*)?\\?`)),
  });
});

test('the nouns that an unknown word is answered with are those of the help', async () => {
  const { err } = await message('qqqq');
  const listed = /Start with one of: (.*)\.\n/.exec(err)?.[1]?.split(', ');
  const help = (await message('--help')).out;
  const rows = help.slice(help.indexOf('Nouns'), help.indexOf('Options')).matchAll(/^ {2}(\S+) {2,}/gm);
  const nouns = [...rows].map(([, noun = '']) => noun);
  expect(nouns.length).toBeGreaterThan(10);
  expect(listed?.toSorted()).toEqual(nouns.toSorted());
  expect(listed).not.toContain('view');
});

test('what only the console can do is no noun here, and says where it works', async () => {
  for (const argv of [['app'], ['app', 'theme', 'dark'], ['app', '--help'], ['view', 'nothing']]) {
    const { code, err } = await message(...argv);
    expect([code, err], argv.join(' ')).toEqual([EXIT.usage, expect.stringContaining('works in the console only')]);
  }
});

test('the version is that of the package, before anything is asked or called', async () => {
  expect(await message('--version')).toEqual({ code: EXIT.ok, out: `${manifest.version}\n`, err: '' });
  expect((await message('devices', '--version')).out).toBe(`${manifest.version}\n`);
});

test('the help says what a command does in a terminal', async () => {
  const title = async (...argv: string[]) => (await message(...argv, '--help')).out.split('\n')[0];
  expect(await title('devices')).toBe('List devices');
  expect(await title('device', 'open')).toBe('Show one device');
  expect(await title('me', 'profile')).toBe('Show your profile');
  expect(await title('tag', 'assign')).toBe('Assign tag');
  expect(await title('undo')).toContain('Take the last change back');
  const { out } = await message('--help');
  expect(out).not.toContain('Go to');
});
