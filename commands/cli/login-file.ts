import { mkdirSync, readFileSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Io } from './io.ts';

/** Where `quarterdeck login` keeps the server and the token, readable by its owner only. */
export interface Login {
  readonly server: string;
  readonly token: string;
}

export function loginPath({ env }: Pick<Io, 'env'>): string {
  const folder = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config');
  return join(folder, 'quarterdeck', 'login.json');
}

/** The saved login, or undefined when there is none or the file is not one of ours. */
export function readLogin(io: Pick<Io, 'env'>): Login | undefined {
  let text: string;
  try {
    text = readFileSync(loginPath(io), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { server, token } = JSON.parse(text) as Partial<Login>;
    return typeof server === 'string' && typeof token === 'string' ? { server, token } : undefined;
  } catch {
    return undefined;
  }
}

export function writeLogin(io: Pick<Io, 'env'>, login: Login): string {
  const path = loginPath(io);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  // `mode` counts only for a file that did not exist.
  chmodSync(path, 0o600);
  return path;
}

/** True when there was one. */
export function removeLogin(io: Pick<Io, 'env'>): boolean {
  const had = readLogin(io) !== undefined;
  rmSync(loginPath(io), { force: true });
  return had;
}
