import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { LIMIT } from '#commands/run/history.ts';
import type { Io } from './io.ts';
import { loginPath } from './login-file.ts';

/*
 * One file for each change, so that processes which run at once neither wait for nor overwrite one another, and so that
 * a file that is damaged takes no other with it. The name has the order, and whose it is.
 */

/** In all, whoever they are of; the oldest files go first. */
const MOST_BYTES = 16 * 1024 * 1024;
/** A change that takes more is not kept. */
export const MOST_BYTES_OF_ONE = 8 * 1024 * 1024;
/** After this a half-written file was left behind by a process that was ended. */
const ABANDONED_MS = 60 * 60 * 1000;

const NAME = /^(\d{15})-([0-9a-f]{16})-[0-9a-f]{8}\.json$/;
const HALF_WRITTEN = /\.tmp$/;

/** The folder of the history, beside the login. */
export function historyFolder(io: Pick<Io, 'env'>): string {
  return join(dirname(loginPath(io)), 'history');
}

/** Who changed something, where: each has a history of their own. */
export interface Whose {
  /** Without a slash at its end. */
  readonly server: string;
  readonly organization: string;
  readonly account: string;
}

export class HistoryFiles {
  private readonly folder: string;
  private readonly whose: string;

  constructor(folder: string, { server, organization, account }: Whose) {
    this.folder = folder;
    const text = JSON.stringify([server, organization, account]);
    this.whose = createHash('sha256').update(text).digest('hex').slice(0, 16);
  }

  /** Names of this person's files, the newest first. */
  names(): readonly string[] {
    return this.all().filter((name) => NAME.exec(name)?.[2] === this.whose);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  /** Keeps a text as the newest, and makes room for it. Only its owner can read it. */
  add(text: string): string {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    // Later than every other, also after a clock was set back.
    const last = Number(NAME.exec(this.all()[0] ?? '')?.[1] ?? 0);
    const order = `${Math.max(Date.now(), last + 1)}`.padStart(15, '0');
    const name = `${order}-${this.whose}-${randomBytes(4).toString('hex')}.json`;
    this.replace(name, text);
    this.makeRoom();
    return name;
  }

  /** Writes a file as a whole: whoever reads it meanwhile, or after a crash, sees the text before or this one. */
  replace(name: string, text: string): void {
    const half = `${this.path(name)}.${randomBytes(4).toString('hex')}.tmp`;
    try {
      writeFileSync(half, text, { mode: 0o600, flag: 'wx', flush: true });
      renameSync(half, this.path(name));
    } catch (error) {
      rmSync(half, { force: true });
      throw error;
    }
  }

  remove(name: string): void {
    rmSync(this.path(name), { force: true });
  }

  private all(): readonly string[] {
    return this.entries()
      .filter((name) => NAME.test(name))
      .toSorted()
      .toReversed();
  }

  private entries(): readonly string[] {
    try {
      return readdirSync(this.folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  private makeRoom(): void {
    let bytes = 0;
    this.all().forEach((name, index) => {
      bytes += this.stat(name)?.size ?? 0;
      if (index > 0 && (index >= LIMIT || bytes > MOST_BYTES)) this.remove(name);
    });
    for (const name of this.entries().filter((value) => HALF_WRITTEN.test(value))) {
      const since = this.stat(name)?.mtimeMs ?? Date.now();
      if (Date.now() - since > ABANDONED_MS) this.remove(name);
    }
  }

  /** Undefined for a file that another process has just removed. */
  private stat(name: string) {
    return statSync(this.path(name), { throwIfNoEntry: false });
  }
}
