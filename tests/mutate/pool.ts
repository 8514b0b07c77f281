import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import type { Order, Outcome } from './runner.ts';

/** Runs of one process, before it makes room for a new one. */
const MAX_RUNS = 400;

/** A runner process that is replaced when a mutant never ends or brings it down. */
export class Runner {
  private child: ChildProcess | undefined;
  private runs = 0;

  /** @returns undefined when it took longer than `most` milliseconds, or took the process with it */
  async run(order: Order, most: number): Promise<Outcome | undefined> {
    if (this.runs++ >= MAX_RUNS) this.close();
    const child = (this.child ??= await started());
    const stop = new AbortController();
    const { signal } = stop;
    try {
      const answer = once(child, 'message', { signal }).then(([outcome]) => outcome as Outcome);
      const ended = once(child, 'exit', { signal }).then(() => undefined);
      const late = wait(most, undefined, { signal });
      child.send(order);
      const outcome = await Promise.race([answer, ended, late]);
      for (const promise of [answer, ended, late]) promise.catch(() => {});
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
    // With the workers that it started: one that spins does not hear that its parent is gone.
    process.kill(-child.pid, 'SIGKILL');
  }
}

async function started(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'runner.ts'), {
    execArgv: ['--import', 'tsx'],
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'test', VITEST: 'true' },
  });
  const [first] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as unknown[];
  if (first !== 'ready') throw new Error('Vitest did not start.');
  return child;
}
