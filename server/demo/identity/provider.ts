import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SignInMethod } from '#server/base/config.ts';
import { identityProviderEntry } from '#server/base/paths.ts';
import type { EmulatorPerson, FromProvider, Notice, ToProvider } from './emulator/messages.ts';
import { isDemoProject } from './unsecured.ts';

export interface IdentityProvider {
  /** Loopback port that it answers on. */
  readonly port: number;
  /** Hands over what the provider has to tell people, from now on; until then it is lost. */
  onNotice(listener: (notice: Notice) => void): void;
  /** Hands over why accounts could not be saved, for the log. */
  onNotSaved(listener: (reason: string) => void): void;
  /** Settles when the process has ended without being asked to; the server cannot sign anybody in from then on. */
  readonly died: Promise<string>;
  /** Saves the accounts and ends the process. */
  close(): Promise<void>;
}

export interface IdentityProviderOptions {
  /** Starts with `demo-`. */
  readonly project: string;
  readonly people: readonly EmulatorPerson[];
  /** The ways in that are offered. */
  readonly signIn: ReadonlySet<SignInMethod>;
  /** Addresses of the console's, for the pages that the provider writes itself. */
  readonly stylesheets?: readonly string[];
  /** Folder that is the provider's own: its HOME, and the accounts between two runs. */
  readonly folder: string;
  /** Seals the accounts file. */
  readonly sealingKey: Buffer;
  /** Gives up while it is still coming up; without effect afterwards. */
  readonly signal?: AbortSignal | undefined;
}

/** The provider's process did not come up, or fell over. */
export class IdentityProviderFailed extends Error {
  override name = 'IdentityProviderFailed';
}

/** How much of what the process wrote to stderr is kept, for the sentence that says why it died. */
const STDERR_KEPT = 2000;
const CLOSE_TIMEOUT_MS = 5000;

/**
 * Starts the embedded identity provider in a process of its own, and waits until it answers (about 2 s).
 *
 * @throws Error for a project that could be a real one
 * @throws IdentityProviderFailed when it does not come up
 */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { project, people, signIn, stylesheets = [], folder, sealingKey, signal } = options;
  if (!isDemoProject(project))
    throw new Error(`"${project}" is not a demo project: it needs Google's identity provider.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const child = fork(identityProviderEntry, {
    // firebase-tools writes settings into HOME when it is loaded, and would read proxies and credentials.
    env: { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Bundled, the entry is JavaScript; in development it is this source, which Node needs a loader for.
    execArgv: identityProviderEntry.endsWith('.ts') ? ['--import', 'tsx'] : [],
  });
  const giveUp = (): void => void child.kill('SIGKILL');
  signal?.addEventListener('abort', giveUp);
  const ended = exitOf(child);
  const tell = (message: ToProvider): void => void child.send(message);
  tell({
    kind: 'start',
    start: {
      project,
      people,
      signIn: [...signIn],
      stylesheets,
      accountsPath: join(folder, 'accounts.sealed'),
      sealingKey: sealingKey.toString('base64'),
    },
  });
  const answer = await Promise.race([
    new Promise<FromProvider>((resolve) => child.once('message', (message: FromProvider) => resolve(message))),
    ended.then((reason): FromProvider => ({ kind: 'failed', reason })),
  ]);
  signal?.removeEventListener('abort', giveUp);
  if (answer.kind !== 'ready') {
    giveUp();
    const reason = answer.kind === 'failed' ? answer.reason : 'it spoke before it was ready';
    throw new IdentityProviderFailed(`The identity provider did not start: ${reason}`);
  }
  let closing = false;
  return {
    port: answer.port,
    onNotice(listener) {
      child.on('message', (message: FromProvider) => void (message.kind === 'notice' && listener(message.notice)));
    },
    onNotSaved(listener) {
      child.on('message', (message: FromProvider) => void (message.kind === 'not-saved' && listener(message.reason)));
    },
    died: new Promise((resolve) => void ended.then((reason) => closing || resolve(reason))),
    async close() {
      closing = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_TIMEOUT_MS);
      tell({ kind: 'stop' });
      await ended;
      clearTimeout(timer);
    },
  };
}

/** @returns why the process ended, in words */
function exitOf(child: ChildProcess): Promise<string> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-STDERR_KEPT)));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      const last = stderr.trim().split('\n').at(-1) ?? '';
      resolve(`its process ended with ${signal ?? `exit code ${code}`}${last === '' ? '' : ` (${last})`}`);
    });
  });
}
