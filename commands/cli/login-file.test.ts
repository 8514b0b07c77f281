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
const savedLogin = { server: 'https://one.example.com', token: 'secret' };

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('stores a login in a file that only its owner can read, and removes it', () => {
  expect(readLogin({ env })).toBeUndefined();
  writeLogin({ env }, savedLogin);
  expect(statSync(loginPath({ env })).mode & 0o777).toBe(0o600);
  // Formatted for people.
  expect(readFileSync(loginPath({ env }), 'utf8')).toBe(
    '{\n  "server": "https://one.example.com",\n  "token": "secret"\n}\n',
  );
  expect(readLogin({ env })).toEqual(savedLogin);
  expect([removeLogin({ env }), removeLogin({ env }), readLogin({ env })]).toEqual([true, false, undefined]);
});

test('restricts the permissions of an existing login file when writing to it', () => {
  writeLogin({ env }, savedLogin);
  chmodSync(loginPath({ env }), 0o644);
  writeLogin({ env }, savedLogin);
  expect(statSync(loginPath({ env })).mode & 0o777).toBe(0o600);
});

test('treats an empty environment variable as unset', () => {
  writeLogin({ env }, savedLogin);
  const emptyEnv = { ...env, QUARTERDECK_SERVER: '', QUARTERDECK_TOKEN: '' };
  expect(findLogin({}, testIo({ env: emptyEnv }))).toEqual(savedLogin);
});

test("ignores a login file that isn't valid JSON", () => {
  writeLogin({ env }, savedLogin);
  writeFileSync(loginPath({ env }), 'not json');
  expect(readLogin({ env })).toBeUndefined();
});

test('prefers options to the environment, and the environment to the login', () => {
  writeLogin({ env }, savedLogin);
  expect(findLogin({}, testIo({ env }))).toEqual(savedLogin);
  expect(findLogin({ server: 'https://two.example.com' }, testIo({ env })).token).toBeUndefined();
  const withServer = { ...env, QUARTERDECK_SERVER: 'https://two.example.com', QUARTERDECK_TOKEN: 'other' };
  expect(findLogin({}, testIo({ env: withServer }))).toEqual({ server: 'https://two.example.com', token: 'other' });
  expect(findLogin({ token: 'option' }, testIo({ env: withServer })).token).toBe('option');
});

test('ignores a trailing slash in the server, and defaults to the local server', () => {
  writeLogin({ env }, savedLogin);
  expect(findLogin({ server: `${savedLogin.server}//` }, testIo({ env })).token).toBe(savedLogin.token);
  expect(findLogin({}, testIo({ env: { XDG_CONFIG_HOME: join(folder, 'nowhere') } }))).toEqual({
    server: 'http://127.0.0.1:7878',
    token: undefined,
  });
});

test('ignores an incomplete login and reports an unreadable file', () => {
  writeLogin({ env }, savedLogin);
  for (const incomplete of [{ server: 'https://x.example' }, { token: 'x' }, { server: 7, token: 'x' }]) {
    writeFileSync(loginPath({ env }), JSON.stringify(incomplete));
    expect(readLogin({ env })).toBeUndefined();
  }
  rmSync(loginPath({ env }));
  mkdirSync(loginPath({ env }));
  const path = loginPath({ env });
  const failure = (key: string, code: string) => expect.objectContaining({ userMessage: message(key, { path, code }) });
  expect(() => readLogin({ env })).toThrow(failure('core:cli.login.unreadable', 'EISDIR'));
  expect(() => writeLogin({ env }, savedLogin)).toThrow(failure('core:cli.login.notWritten', 'EISDIR'));
  // There is no login at a path that can't exist.
  expect(readLogin({ env: { XDG_CONFIG_HOME: '/dev/null' } })).toBeUndefined();
});

test('stores the login in XDG_CONFIG_HOME, or else in the home folder', () => {
  expect(loginPath({ env: { HOME: '/home/x' } })).toBe('/home/x/.config/quarterdeck/login.json');
  expect(loginPath({ env: { HOME: '/home/x', XDG_CONFIG_HOME: '/etc/x' } })).toBe('/etc/x/quarterdeck/login.json');
  expect(loginPath({ env: {} })).toBe(join(homedir(), '.config/quarterdeck/login.json'));
});
