import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { SignInMethod } from '#server/base/config.ts';
import { identityProviderEntry } from '#server/base/paths.ts';

import type { EmulatorPerson, FromProvider, Notice, ToProvider } from './emulator/messages.ts';
import { isDemoProject } from './unsecured.ts';

export interface IdentityProvider {
  /** The loopback port that the provider listens on. */
  readonly port: number;
  /** Subscribes to the provider's notices to users. Notices from before the subscription are lost. */
  onNotice(listener: (notice: Notice) => void): void;
  /** Subscribes to the reasons why accounts couldn't be saved, for the log. */
  onNotSaved(listener: (reason: string) => void): void;
  /** Resolves to the reason when the process ends unexpectedly. The server can then no longer sign anyone in. */
  readonly unexpectedExit: Promise<string>;
  /** Saves the accounts and ends the process. */
  close(): Promise<void>;
}

export interface IdentityProviderOptions {
  /** The project's id, which must start with `demo-`. */
  readonly project: string;
  readonly people: readonly EmulatorPerson[];
  /** The sign-in methods to offer. */
  readonly signIn: ReadonlySet<SignInMethod>;
  /** URLs of the console's stylesheets, for the provider's own pages. */
  readonly stylesheets?: readonly string[];
  /** The provider's own folder, which is its HOME and stores the accounts between runs. */
  readonly folder: string;
  /** Encrypts the accounts file. */
  readonly sealingKey: Buffer;
  /** Aborts the startup. Has no effect afterwards. */
  readonly signal?: AbortSignal | undefined;
}

/** Thrown if the provider's process did not start or has crashed. */
export class IdentityProviderError extends Error {
  override name = 'IdentityProviderError';
}

/** The number of characters of the process's stderr to keep for the error message. */
const MAX_STDERR_LENGTH = 2000;
/** Loading the emulator leaves 60 MB of garbage, which a large young generation would keep. */
const SMALL_HEAP = ['--max-semi-space-size=1', '--v8-pool-size=1'];
const CLOSE_TIMEOUT_MS = 5000;

/**
 * Starts the embedded identity provider in its own process, and waits until it responds (about a second).
 *
 * @throws Error if the project could be a real one
 * @throws IdentityProviderError if it doesn't start
 */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { project, people, signIn, stylesheets = [], folder, sealingKey, signal } = options;
  if (!isDemoProject(project))
    throw new Error(`"${project}" isn't a demo project, so it requires Google's identity provider.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const child = fork(identityProviderEntry, {
    // firebase-tools writes settings into HOME when loaded, and would read proxy settings and credentials.
    env: { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // In a bundle, the entry is JavaScript; in development, it is this TypeScript source, which needs a loader.
    execArgv: [...SMALL_HEAP, ...(identityProviderEntry.endsWith('.ts') ? ['--import', 'tsx'] : [])],
  });
  const giveUp = (): void => void child.kill('SIGKILL');
  signal?.addEventListener('abort', giveUp);
  const exited = waitForExit(child);
  const sendToChild = (message: ToProvider): void => void child.send(message);
  sendToChild({
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
  const message = await Promise.race([
    new Promise<FromProvider>((resolve) => child.once('message', (message: FromProvider) => resolve(message))),
    exited.then((reason): FromProvider => ({ kind: 'failed', reason })),
  ]);
  signal?.removeEventListener('abort', giveUp);
  if (message.kind !== 'ready') {
    giveUp();
    const reason = message.kind === 'failed' ? message.reason : 'it sent another message before it was ready';
    throw new IdentityProviderError(`The identity provider didn't start: ${reason}`);
  }
  let isClosing = false;
  return {
    port: message.port,
    onNotice(listener) {
      child.on('message', (message: FromProvider) => void (message.kind === 'notice' && listener(message.notice)));
    },
    onNotSaved(listener) {
      child.on('message', (message: FromProvider) => void (message.kind === 'not-saved' && listener(message.reason)));
    },
    unexpectedExit: new Promise((resolve) => void exited.then((reason) => isClosing || resolve(reason))),
    async close() {
      isClosing = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_TIMEOUT_MS);
      sendToChild({ kind: 'stop' });
      await exited;
      clearTimeout(timer);
    },
  };
}

/** Waits until the process ends, and returns the reason. */
function waitForExit(child: ChildProcess): Promise<string> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-MAX_STDERR_LENGTH)));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      const last = stderr.trim().split('\n').at(-1) ?? '';
      resolve(`its process ended with ${signal ?? `exit code ${code}`}${last === '' ? '' : ` (${last})`}`);
    });
  });
}
