import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

import type { RunRequest, Outcome } from './runner.ts';

/** The number of runs after which a process is replaced. */
const MAX_RUNS = 400;

/** A runner process, replaced when a mutant hangs or crashes it. */
export class Runner {
  private child: ChildProcess | undefined;
  private runs = 0;

  /** Runs tests; returns undefined if the run took longer than `timeoutMs` or crashed the process. */
  async run(request: RunRequest, timeoutMs: number): Promise<Outcome | undefined> {
    if (this.runs++ >= MAX_RUNS) this.close();
    const child = (this.child ??= await startRunner());
    const stop = new AbortController();
    const { signal } = stop;
    try {
      const reply = once(child, 'message', { signal }).then(([outcome]) => outcome as Outcome);
      const exited = once(child, 'exit', { signal }).then(() => undefined);
      const timedOut = wait(timeoutMs, undefined, { signal });
      child.send(request);
      const outcome = await Promise.race([reply, exited, timedOut]);
      for (const promise of [reply, exited, timedOut]) promise.catch(() => {});
      if (outcome === undefined) this.close();
      return outcome;
    } finally {
      stop.abort();
    }
  }

  close(): void {
    const { child } = this;
    this.child = undefined;
    this.runs = 0;
    if (child?.pid === undefined || child.exitCode !== null) return;
    // Kill the whole process group because a worker in an endless loop doesn't exit with its parent.
    process.kill(-child.pid, 'SIGKILL');
  }
}

async function startRunner(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'runner.ts'), {
    execArgv: ['--import', 'tsx'],
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'test', VITEST: 'true' },
  });
  const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as unknown[];
  if (message !== 'ready') throw new Error('Vitest did not start.');
  return child;
}
