// One round of `npm run fuzz`: a server of its own, somebody else who works with it, and the calls.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import process from 'node:process';
import { type Outcomes, runCampaign } from './campaign.ts';
import { allMethods, pathOf } from './contract.ts';
import type { Sample } from './probe.ts';
import type { Report, Stall } from './server.ts';
import { written } from './shrink.ts';
import type { Caller, Pool } from './target.ts';
import { openClient } from './wire.ts';

export interface Round {
  /** Also of the calls: the same seed makes the same ones. */
  readonly seed: string;
  readonly devices: number;
  readonly parallel: number;
  readonly binary: number;
  readonly json: number;
  /** Milliseconds; calls that take twice as long are told. */
  readonly probeMs: number;
  /** Part of the paths that are called. */
  readonly only: string;
}

export interface RoundResult {
  readonly outcomes: Outcomes;
  readonly samples: Sample[];
  readonly stalls: Stall[];
  /** What the server wrote to its log. */
  readonly logged: string[];
  /** Why the server ended, if it did. */
  readonly died: string | undefined;
}

export type RoundReport = { done: number } | { slow: string } | { result: RoundResult };

interface Started {
  readonly process: ChildProcess;
  readonly port: number;
  readonly served: string[];
  readonly pool: Pool;
  readonly bystander: string;
  /** The end of what the server wrote to its standard error. */
  lastWords(): string;
  hire(round: number): Promise<Caller[]>;
}

interface Heard {
  onLog(line: string): void;
  onStall(stall: Stall): void;
}

async function startServer(devices: number, { onLog, onStall }: Heard): Promise<Started> {
  const { DATABASE_URL: url, ...environment } = process.env;
  const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)), [String(devices)], {
    execArgv: ['--import', 'tsx'],
    silent: true,
    env: { ...environment, ...(url ? { TEST_DATABASE_URL: url } : {}) },
  });
  // Listens all the time: two messages may come in one turn of the event loop.
  const next = <K extends string>(key: K): Promise<Extract<Report, Record<K, unknown>>> =>
    new Promise((resolve, reject) => {
      const done = (then: () => void): void => {
        child.off('message', hear).off('exit', end);
        then();
      };
      const hear = (message: Report): void => {
        if ('failed' in message) done(() => reject(new Error(message.failed)));
        else if (key in message) done(() => resolve(message as Extract<Report, Record<K, unknown>>));
      };
      const end = (): void => done(() => reject(new Error('The server has ended.')));
      child.on('message', hear).on('exit', end);
    });
  child.on('message', (message: Report) => {
    if ('logged' in message) onLog(message.logged);
    if ('stalled' in message) onStall(message.stalled);
  });
  // What connect writes about callers who hung up is of no interest; the last of it is, should the server end.
  let text = '';
  child.stderr?.on('data', (data: Buffer) => (text = (text + data.toString()).slice(-4_000)));
  const { ready } = await next('ready');
  return {
    process: child,
    lastWords: () => text,
    ...ready,
    async hire(round) {
      const hired = next('hired');
      child.send({ hire: round });
      return (await hired).hired;
    },
  };
}

async function play({ seed, devices, parallel, binary, json, probeMs, only }: Round): Promise<RoundResult> {
  const methods = (await allMethods()).filter((method) => pathOf(method).includes(only));
  const [logged, samples, stalls]: [string[], Sample[], Stall[]] = [[], [], []];
  const server: { died?: string } = {};
  const running = await startServer(devices, {
    onLog: (line) => logged.push(line),
    onStall: (stall) => stalls.push(stall),
  });
  running.process.once('exit', (code, signal) => {
    server.died ??= `The server ended by itself (${signal ?? code}).\n${running.lastWords()}`;
  });
  const probe = fork(fileURLToPath(new URL('probe.ts', import.meta.url)), [String(running.port), running.bystander], {
    execArgv: ['--import', 'tsx'],
  });
  // It warms up by itself: what the first calls compile and plan is not what the fuzzing does to them.
  await once(probe, 'message');
  probe.on('message', (sample: Sample) => samples.push(sample));
  // Callers have machines of their own. Here they take what the server and somebody else leave of the processors.
  setPriority(10);
  const client = openClient(running.port, parallel);
  const outcomes = await runCampaign({
    seed,
    methods,
    served: new Set(running.served),
    pool: running.pool,
    client,
    parallel,
    binary,
    json,
    hire: running.hire,
    onProgress: (done) => report({ done }),
    onAnswer: ({ milliseconds }, call) => {
      if (probeMs > 0 && milliseconds > 2 * probeMs)
        report({ slow: `${new Date().toISOString()}: ${milliseconds.toFixed(0)} ms for ${written(methods, call)}` });
    },
    stopped: () => server.died,
  });
  probe.kill();
  await client.close();
  if (server.died === undefined) {
    running.process.removeAllListeners('exit');
    const ended = once(running.process, 'exit');
    running.process.send({ close: true });
    await ended;
  }
  return { outcomes, samples, stalls, logged, died: server.died };
}

const report = (message: RoundReport): void => void process.send?.(message);
// Whoever started it has gone.
process.on('disconnect', () => process.exit(1));
const result = await play(JSON.parse(process.argv[2] ?? '{}') as Round);
process.send?.({ result } satisfies RoundReport, () => process.exit(0));
