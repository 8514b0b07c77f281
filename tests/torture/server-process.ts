import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

import { demoPeople } from '#server/demo/seed/people.ts';

/** Generous because the machine may be busy, and 100,000 devices take minutes to create. */
const READY_TIMEOUT_MS = 900_000;
const MAX_STDERR_LENGTH = 4000;

export interface ServerOptions {
  /** Node arguments that start the server. */
  readonly entry: readonly string[];
  readonly port: number;
  readonly folder: string;
  readonly databaseUrl: string | undefined;
  readonly sealingKey: string;
  readonly devices: number;
}

/** A server that can be killed and restarted at the same address. */
export class ServerProcess {
  readonly address: string;
  readonly #options: ServerOptions;
  #child: ChildProcess | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.address = `http://127.0.0.1:${options.port}`;
  }

  /** The process id of the running server. */
  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('The server is not running.');
    return this.#child.pid;
  }

  /** Resolves once the server accepts calls. */
  async start(): Promise<void> {
    const { entry, port, folder, databaseUrl, sealingKey, devices } = this.#options;
    const argv = ['--port', String(port), '--data', folder, '--devices', String(devices), '--rate', '0'];
    const { DATABASE_URL: _, ...inheritedEnv } = process.env;
    const child = spawn(process.execPath, [...entry, ...argv, '--allow-loopback-deliveries'], {
      env: {
        ...inheritedEnv,
        QUARTERDECK_SEALING_KEY: sealingKey,
        ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    let [output, error] = ['', ''];
    child.stderr.on('data', (chunk: Buffer) => (error = (error + chunk.toString()).slice(-MAX_STDERR_LENGTH)));
    const timeout = AbortSignal.timeout(READY_TIMEOUT_MS);
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Ctrl-C')) resolve();
      });
      child.once('exit', (code) => reject(new Error(`The server exited with ${code} during startup: ${error}`)));
      timeout.addEventListener('abort', () => reject(new Error(`The server was not ready in time: ${error}`)));
    });
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}

/** Signs in as the demo's administrator and returns an ID token. */
export async function signIn(address: string): Promise<string> {
  const person = demoPeople.find(({ kind }) => kind === 'administrator');
  const response = await fetch(`${address}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: person?.email, password: person?.password, returnSecureToken: true }),
  });
  return ((await response.json()) as { idToken: string }).idToken;
}
