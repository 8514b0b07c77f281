import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { freePort } from '#server/launch/free-port.mjs';

const INSTALL_FOLDER = '/usr/lib/postgresql';

/** Calls `task` with the URL of a PostgreSQL server: DATABASE_URL, or a temporary server. */
export async function withPostgres<Result>(task: (url: string) => Promise<Result>): Promise<Result> {
  const configuredUrl = process.env['DATABASE_URL'];
  if (configuredUrl) return task(configuredUrl);
  const bin = newestBin();
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-postgres-'));
  const cluster = join(folder, 'cluster');
  const isRoot = process.getuid?.() === 0;
  // PostgreSQL refuses to run as root.
  const run = (program: string, ...args: string[]) => {
    const command = [join(bin, program), '-D', cluster, ...args];
    const [file = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
    execFileSync(file, rest, { stdio: 'ignore' });
  };
  const port = await freePort();
  try {
    chmodSync(folder, 0o755);
    mkdirSync(cluster);
    if (isRoot) execFileSync('chown', ['postgres', cluster]);
    run('initdb', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8');
    const settings = `-p ${port} -h 127.0.0.1 -k ${cluster} -c fsync=off -c max_connections=200`;
    run('pg_ctl', '-w', '-l', join(cluster, 'log'), '-o', settings, 'start');
    try {
      return await task(`postgres://postgres@127.0.0.1:${port}/postgres`);
    } finally {
      run('pg_ctl', '-m', 'immediate', 'stop');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function newestBin(): string {
  const folders = existsSync(INSTALL_FOLDER) ? readdirSync(INSTALL_FOLDER) : [];
  const versions = folders.toSorted((a, b) => Number(a) - Number(b));
  const newest = versions.at(-1);
  if (newest === undefined) {
    throw new Error('PostgreSQL is not installed. Run apt-get install -y postgresql, or set DATABASE_URL.');
  }
  return join(INSTALL_FOLDER, newest, 'bin');
}
