import { spawn } from 'node:child_process';
import process from 'node:process';

export interface Started {
  /** What it printed up to now. */
  out(): string;
  error(): string;
  signal(signal: NodeJS.Signals): void;
  readonly ended: Promise<number | null>;
}

/** The server as a process of its own, from its sources. */
export function start(argv: string[], environment: Record<string, string> = {}): Started {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/start/main.ts', ...argv], {
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, error] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
  return {
    out: () => out,
    error: () => error,
    signal: (signal) => void child.kill(signal),
    ended: new Promise((resolve) => child.once('close', resolve)),
  };
}

/** @returns exit code and what it wrote to stderr */
export async function refused(argv: string[], environment?: Record<string, string>): Promise<[number | null, string]> {
  const started = start(argv, environment);
  const code = await started.ended;
  return [code, started.error().trim()];
}
