import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

import { message } from '#commands/text/message.ts';
import { findLogin } from './connection.ts';
import { loginPath, readLogin, removeLogin, writeLogin } from './login-file.ts';
import { testIo } from './testkit/io.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-login-'));
const env = { XDG_CONFIG_HOME: folder };
const saved = { server: 'https://one.example.com', token: 'secret' };

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a login is kept where only its owner reads it, and forgotten', () => {
  expect(readLogin({ env })).toBeUndefined();
  writeLogin({ env }, saved);
  expect(statSync(loginPath({ env })).mode & 0o777).toBe(0o600);
  // A person may look into it.
  expect(readFileSync(loginPath({ env }), 'utf8')).toBe(
    '{\n  "server": "https://one.example.com",\n  "token": "secret"\n}\n',
  );
  expect(readLogin({ env })).toEqual(saved);
  expect([removeLogin({ env }), removeLogin({ env }), readLogin({ env })]).toEqual([true, false, undefined]);
});

test('a login file that others could read is closed to them when it is written again', () => {
  writeLogin({ env }, saved);
  chmodSync(loginPath({ env }), 0o644);
  writeLogin({ env }, saved);
  expect(statSync(loginPath({ env })).mode & 0o777).toBe(0o600);
});

test('an empty variable of the environment counts as none', () => {
  writeLogin({ env }, saved);
  const empty = { ...env, QUARTERDECK_SERVER: '', QUARTERDECK_TOKEN: '' };
  expect(findLogin({}, testIo({ env: empty }))).toEqual(saved);
});

test('a file that is not one of ours counts as none', () => {
  writeLogin({ env }, saved);
  writeFileSync(loginPath({ env }), 'not json');
  expect(readLogin({ env })).toBeUndefined();
});

test('flags win over the environment, the environment over the login; a token is not sent to another server', () => {
  writeLogin({ env }, saved);
  expect(findLogin({}, testIo({ env }))).toEqual(saved);
  expect(findLogin({ server: 'https://two.example.com' }, testIo({ env })).token).toBeUndefined();
  const more = { ...env, QUARTERDECK_SERVER: 'https://two.example.com', QUARTERDECK_TOKEN: 'other' };
  expect(findLogin({}, testIo({ env: more }))).toEqual({ server: 'https://two.example.com', token: 'other' });
  expect(findLogin({ token: 'flag' }, testIo({ env: more })).token).toBe('flag');
});

test('a login of one part is none, a file that cannot be read is said, and a slash makes no other server', () => {
  writeLogin({ env }, saved);
  for (const half of [{ server: 'https://x.example' }, { token: 'x' }, { server: 7, token: 'x' }]) {
    writeFileSync(loginPath({ env }), JSON.stringify(half));
    expect(readLogin({ env })).toBeUndefined();
  }
  writeLogin({ env }, saved);
  expect(findLogin({ server: `${saved.server}//` }, testIo({ env })).token).toBe(saved.token);
  expect(findLogin({}, testIo({ env: { XDG_CONFIG_HOME: join(folder, 'nowhere') } }))).toEqual({
    server: 'http://127.0.0.1:7878',
    token: undefined,
  });
  rmSync(loginPath({ env }));
  mkdirSync(loginPath({ env }));
  const path = loginPath({ env });
  const refused = (key: string, code: string) => expect.objectContaining({ userMessage: message(key, { path, code }) });
  expect(() => readLogin({ env })).toThrow(refused('core:cli.login.unreadable', 'EISDIR'));
  expect(() => writeLogin({ env }, saved)).toThrow(refused('core:cli.login.unwritten', 'EISDIR'));
  // Where no file can be, there is none.
  expect(readLogin({ env: { XDG_CONFIG_HOME: '/dev/null' } })).toBeUndefined();
});

test('a login lies below the home of whoever names no other place', () => {
  expect(loginPath({ env: { HOME: '/home/x' } })).toBe('/home/x/.config/quarterdeck/login.json');
  expect(loginPath({ env: { HOME: '/home/x', XDG_CONFIG_HOME: '/etc/x' } })).toBe('/etc/x/quarterdeck/login.json');
  expect(loginPath({ env: {} })).toBe(join(homedir(), '.config/quarterdeck/login.json'));
});
