import { mkdirSync, readFileSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

import { CommandError } from '#commands/model/errors.ts';
import { message } from '#commands/text/message.ts';

import type { Io } from './io.ts';

/** The login saved by `quarterdeck login`, in a file that only its owner can read. */
export interface Login {
  readonly server: string;
  readonly token: string;
}

export function loginPath({ env }: Pick<Io, 'env'>): string {
  const folder = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config');
  return join(folder, 'quarterdeck', 'login.json');
}

/**
 * Reads the saved login, or undefined if there is none or the file has another format.
 *
 * @throws CommandError if the file cannot be read.
 */
export function readLogin(io: Pick<Io, 'env'>): Login | undefined {
  let text: string;
  try {
    text = readFileSync(loginPath(io), 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CommandError(message('core:cli.login.unreadable', { path: loginPath(io), code }));
  }
  try {
    const { server, token } = JSON.parse(text) as Partial<Login>;
    return typeof server === 'string' && typeof token === 'string' ? { server, token } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Saves the login.
 *
 * @throws CommandError if the file cannot be written
 */
export function writeLogin(io: Pick<Io, 'env'>, login: Login): string {
  const path = loginPath(io);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
    // `mode` applies only to a new file.
    chmodSync(path, 0o600);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new CommandError(message('core:cli.login.notWritten', { path, code }));
  }
  return path;
}

/** Removes the saved login. Returns true if there was one. */
export function removeLogin(io: Pick<Io, 'env'>): boolean {
  const existed = readLogin(io) !== undefined;
  rmSync(loginPath(io), { force: true });
  return existed;
}
