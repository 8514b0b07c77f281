import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

import { findLogin } from './connection.ts';
import { loginPath, readLogin, removeLogin, writeLogin } from './login-file.ts';
import { testIo } from './testing/io.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-login-'));
const env = { XDG_CONFIG_HOME: folder };
const saved = { server: 'https://one.example.com', token: 'secret' };

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a login is kept where only its owner reads it, and forgotten', () => {
  expect(readLogin({ env })).toBeUndefined();
  writeLogin({ env }, saved);
  expect(statSync(loginPath({ env })).mode & 0o777).toBe(0o600);
  expect(readLogin({ env })).toEqual(saved);
  expect([removeLogin({ env }), removeLogin({ env }), readLogin({ env })]).toEqual([true, false, undefined]);
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
