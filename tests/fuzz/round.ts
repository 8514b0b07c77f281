// One round of `npm run fuzz`: a separate server, a bystander that uses it, and the calls.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { type Outcomes, runCampaign } from './campaign.ts';
import { loadMethods, pathOf } from './contract.ts';
import type { Sample } from './probe.ts';
import type { Report, Stall } from './server.ts';
import { describeCall } from './shrink.ts';
import type { Caller, Pool } from './target.ts';
import { openClient } from './wire.ts';

export interface Round {
  /** The same seed produces the same calls. */
  readonly seed: string;
  readonly devices: number;
  readonly concurrency: number;
  readonly binaryCount: number;
  readonly jsonCount: number;
  /** The maximum milliseconds for the bystander's calls. Calls that take twice as long are reported. */
  readonly probeMs: number;
  /** Only rpcs with this string in their path are called. */
  readonly pathFilter: string;
}

export interface RoundResult {
  readonly outcomes: Outcomes;
  readonly samples: Sample[];
  readonly stalls: Stall[];
  /** The server's log. */
  readonly logLines: string[];
  /** The reason why the server exited, if it did. */
  readonly crash: string | undefined;
}

export type RoundReport = { completed: number } | { slow: string } | { result: RoundResult };

interface RunningServer {
  readonly process: ChildProcess;
  readonly port: number;
  readonly servedPaths: string[];
  readonly pool: Pool;
  readonly bystander: string;
  /** The last part of the server's standard error. */
  stderrTail(): string;
  createCallers(round: number): Promise<Caller[]>;
}

interface Listeners {
  onLog(line: string): void;
  onStall(stall: Stall): void;
}

async function startServer(devices: number, { onLog, onStall }: Listeners): Promise<RunningServer> {
  const { DATABASE_URL: url, ...environment } = process.env;
  const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)), [String(devices)], {
    execArgv: ['--import', 'tsx'],
    silent: true,
    env: { ...environment, ...(url ? { TEST_DATABASE_URL: url } : {}) },
  });
  // Listen until the message arrives because two messages can arrive in one turn of the event loop.
  const next = <K extends string>(key: K): Promise<Extract<Report, Record<K, unknown>>> =>
    new Promise((resolve, reject) => {
      const finish = (deliver: () => void): void => {
        child.off('message', receive).off('exit', end);
        deliver();
      };
      const receive = (message: Report): void => {
        if ('failed' in message) finish(() => reject(new Error(message.failed)));
        else if (key in message) finish(() => resolve(message as Extract<Report, Record<K, unknown>>));
      };
      const end = (): void => finish(() => reject(new Error('The server exited.')));
      child.on('message', receive).on('exit', end);
    });
  child.on('message', (message: Report) => {
    if ('logged' in message) onLog(message.logged);
    if ('stalled' in message) onStall(message.stalled);
  });
  // Ignore Connect's output about aborted calls, but keep the last part in case the server crashes.
  let text = '';
  child.stderr?.on('data', (data: Buffer) => (text = (text + data.toString()).slice(-4000)));
  const { ready } = await next('ready');
  return {
    process: child,
    stderrTail: () => text,
    ...ready,
    async createCallers(round) {
      const callers = next('callers');
      child.send({ createCallers: round });
      return (await callers).callers;
    },
  };
}

async function runRound({
  seed,
  devices,
  concurrency,
  binaryCount,
  jsonCount,
  probeMs,
  pathFilter,
}: Round): Promise<RoundResult> {
  const methods = (await loadMethods()).filter((method) => pathOf(method).includes(pathFilter));
  const [logLines, samples, stalls]: [string[], Sample[], Stall[]] = [[], [], []];
  const server: { crash?: string } = {};
  const runningServer = await startServer(devices, {
    onLog: (line) => logLines.push(line),
    onStall: (stall) => stalls.push(stall),
  });
  runningServer.process.once('exit', (code, signal) => {
    server.crash ??= `The server exited unexpectedly (${signal ?? code}).\n${runningServer.stderrTail()}`;
  });
  const probe = fork(
    fileURLToPath(new URL('probe.ts', import.meta.url)),
    [String(runningServer.port), runningServer.bystander],
    {
      execArgv: ['--import', 'tsx'],
    },
  );
  // The bystander warms up first because compiling and planning for the first calls is not an effect of fuzzing.
  await once(probe, 'message');
  probe.on('message', (sample: Sample) => samples.push(sample));
  // Real callers have their own machines. Here, they get only the processor time that the server and the bystander
  // leave over.
  setPriority(10);
  const client = openClient(runningServer.port, concurrency);
  const outcomes = await runCampaign({
    seed,
    methods,
    servedPaths: new Set(runningServer.servedPaths),
    pool: runningServer.pool,
    client,
    concurrency,
    binaryCount,
    jsonCount,
    createCallers: runningServer.createCallers,
    onProgress: (completed) => report({ completed }),
    onReply: ({ milliseconds }, call) => {
      if (probeMs > 0 && milliseconds > 2 * probeMs)
        report({
          slow: `${new Date().toISOString()}: ${milliseconds.toFixed(0)} ms for ${describeCall(methods, call)}`,
        });
    },
    stopReason: () => server.crash,
  });
  probe.kill();
  await client.close();
  if (server.crash === undefined) {
    runningServer.process.removeAllListeners('exit');
    const exited = once(runningServer.process, 'exit');
    runningServer.process.send({ close: true });
    await exited;
  }
  return { outcomes, samples, stalls, logLines, crash: server.crash };
}

const report = (message: RoundReport): void => void process.send?.(message);
// The parent process has exited.
process.on('disconnect', () => process.exit(1));
const result = await runRound(JSON.parse(process.argv[2] ?? '{}') as Round);
process.send?.({ result } satisfies RoundReport, () => process.exit(0));
