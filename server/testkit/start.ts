import { spawn } from 'node:child_process';
import process from 'node:process';

import { outputs } from '#server/launch/prepare.mjs';
import { isCurrent } from '#server/launch/stamps.mjs';

export interface ServerProcess {
  /** The output so far. */
  output(): string;
  error(): string;
  signal(signal: NodeJS.Signals): void;
  readonly exited: Promise<number | null>;
}

/**
 * Returns the Node arguments that run the server: its bundle if it is current, otherwise its sources, which take three
 * seconds longer to load.
 */
export function serverProgram(): readonly string[] {
  const bundle = outputs.find(({ name }) => name === 'server');
  return bundle && isCurrent(bundle) ? [bundle.artifact] : ['--import', 'tsx', 'server/start/main.ts'];
}

/** Starts the server in its own process. */
export function start(argv: string[], environment: Record<string, string> = {}): ServerProcess {
  const { DATABASE_URL: _, ...inheritedEnv } = process.env;
  const child = spawn(process.execPath, [...serverProgram(), ...argv], {
    env: { ...inheritedEnv, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, error] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
  return {
    output: () => output,
    error: () => error,
    signal: (signal) => void child.kill(signal),
    exited: new Promise((resolve) => child.once('close', resolve)),
  };
}

/** Starts a server that must fail to start, and returns its exit code and stderr. */
export async function failToStart(
  argv: string[],
  environment?: Record<string, string>,
): Promise<[number | null, string]> {
  const startedServer = start(argv, environment);
  const code = await startedServer.exited;
  return [code, startedServer.error().trim()];
}
