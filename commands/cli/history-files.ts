import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { MAX_ENTRIES } from '#commands/run/history.ts';

import type { Io } from './io.ts';
import { loginPath } from './login-file.ts';

/* Each change has its own file, so concurrent processes neither wait for nor overwrite each other, and a damaged file
   does not affect the others. The file name contains a sequence number and a hash of the owner. */

/** The version of the file format. Files in other versions are reported as unreadable. */
export const FORMAT = 1;

/** The limit for the files of all owners combined. The oldest files are removed first. */
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
/** The limit for one change. A larger change isn't stored. */
export const MAX_CHANGE_BYTES = 8 * 1024 * 1024;
/** A temporary file older than this was left behind by a killed process. */
const ABANDONED_MS = 60 * 60 * 1000;

const NAME = /^(\d{15})-([0-9a-f]{16})-[0-9a-f]{8}\.json$/;
const TEMPORARY = /\.tmp$/;

/** Returns the history folder, which is next to the login file. */
export function historyFolder(io: Pick<Io, 'env'>): string {
  return join(dirname(loginPath(io)), 'history');
}

/** The owner of a history: an account on a server, acting in an organization. */
export interface Owner {
  /** Without a trailing slash. */
  readonly server: string;
  readonly organization: string;
  readonly account: string;
}

export class HistoryFiles {
  private readonly folder: string;
  private readonly ownerHash: string;

  constructor(folder: string, { server, organization, account }: Owner) {
    this.folder = folder;
    const text = JSON.stringify([server, organization, account]);
    this.ownerHash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  }

  /** Lists this owner's files, newest first. */
  names(): readonly string[] {
    return this.allNames().filter((name) => NAME.exec(name)?.[2] === this.ownerHash);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  /** Stores text as the newest file, readable only by its owner, then removes the oldest files beyond the limits. */
  add(text: string): string {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    // Number the file after every existing file, even if the clock was set back.
    const last = Number(NAME.exec(this.allNames()[0] ?? '')?.[1] ?? 0);
    const order = `${Math.max(Date.now(), last + 1)}`.padStart(15, '0');
    const name = `${order}-${this.ownerHash}-${randomBytes(4).toString('hex')}.json`;
    this.replace(name, text);
    this.prune();
    return name;
  }

  /** Replaces a file atomically: concurrent readers, and readers after a crash, see either the old or the new text. */
  replace(name: string, text: string): void {
    const temporary = `${this.path(name)}.${randomBytes(4).toString('hex')}.tmp`;
    try {
      writeFileSync(temporary, text, { mode: 0o600, flag: 'wx', flush: true });
      renameSync(temporary, this.path(name));
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  /** Appends text to a file. Returns false if the file no longer exists, because the text alone would be unreadable. */
  append(name: string, text: string): boolean {
    if (!this.stat(name)) return false;
    const file = openSync(this.path(name), constants.O_WRONLY | constants.O_APPEND);
    try {
      writeFileSync(file, text);
      return true;
    } finally {
      closeSync(file);
    }
  }

  /** Marks a file as modified now. */
  touch(name: string): void {
    const now = new Date();
    utimesSync(this.path(name), now, now);
  }

  /** In ms since the epoch. */
  modifiedAt(name: string): number {
    return this.stat(name)?.mtimeMs ?? 0;
  }

  remove(name: string): void {
    rmSync(this.path(name), { force: true });
  }

  private allNames(): readonly string[] {
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

  private prune(): void {
    let bytes = 0;
    this.allNames().forEach((name, index) => {
      bytes += this.stat(name)?.size ?? 0;
      if (index > 0 && (index >= MAX_ENTRIES || bytes > MAX_TOTAL_BYTES)) this.remove(name);
    });
    for (const name of this.entries().filter((entry) => TEMPORARY.test(entry))) {
      const modifiedAt = this.stat(name)?.mtimeMs ?? Date.now();
      if (Date.now() - modifiedAt > ABANDONED_MS) this.remove(name);
    }
  }

  /** Returns undefined if another process has just removed the file. */
  private stat(name: string) {
    return statSync(this.path(name), { throwIfNoEntry: false });
  }
}
