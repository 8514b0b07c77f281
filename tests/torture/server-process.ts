import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

/** Generous, because the machine may be busy. */
const READY_TIMEOUT_MS = 300_000;
const MAX_STDERR = 4000;

export interface ServerOptions {
  /** Arguments for Node to start it. */
  readonly entry: readonly string[];
  readonly port: number;
  readonly folder: string;
  readonly databaseUrl: string | undefined;
  readonly sealingKey: string;
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

  /** Resolves once it accepts calls. */
  async start(): Promise<void> {
    const { entry, port, folder, databaseUrl, sealingKey } = this.#options;
    const argv = ['--port', String(port), '--data', folder, '--devices', '40', '--rate', '0'];
    const { DATABASE_URL: _, ...inherited } = process.env;
    const child = spawn(process.execPath, [...entry, ...argv, '--allow-loopback-deliveries'], {
      env: {
        ...inherited,
        QUARTERDECK_SEALING_KEY: sealingKey,
        ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    let [output, error] = ['', ''];
    child.stderr.on('data', (chunk: Buffer) => (error = (error + chunk.toString()).slice(-MAX_STDERR)));
    const timeout = AbortSignal.timeout(READY_TIMEOUT_MS);
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Ctrl-C')) resolve();
      });
      child.once('exit', (code) => reject(new Error(`The server ended with ${code} while it started: ${error}`)));
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
