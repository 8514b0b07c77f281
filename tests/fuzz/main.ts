// `npm run fuzz`: calls every rpc with random, extreme and broken requests, while somebody else goes on working.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Outcomes, runCampaign } from './campaign.ts';
import { allMethods, pathOf } from './contract.ts';
import type { Sample } from './probe.ts';
import type { Report, Stall } from './server.ts';
import { outcomeText, written } from './shrink.ts';
import { printSummary, slowProbes } from './summary.ts';
import type { Caller, Pool } from './target.ts';
import { openClient } from './wire.ts';

const help = `npm run fuzz -- [options]

  --calls N      calls of each kind, binary and JSON (100000)
  --seed TEXT    the same seed makes the same calls (now)
  --devices N    size of the fleet that is called about (48)
  --parallel N   calls at once; with 1 a run repeats exactly (8)
  --fresh N      calls after which the server starts anew (25000)
  --probe N      milliseconds within which somebody else must be answered; 0 only measures (250).
                 Calls that take twice as long themselves are written out. Time in which the machine
                 did not let the server run is taken off: other programs, not calls, took it
  --only TEXT    only rpcs whose path contains it, such as ModemService/List (all)

DATABASE_URL names a PostgreSQL to make databases in; without it the server uses the embedded one.
`;

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '100000' },
    seed: { type: 'string', default: new Date().toISOString() },
    devices: { type: 'string', default: '0' },
    parallel: { type: 'string', default: '8' },
    fresh: { type: 'string', default: '25000' },
    probe: { type: 'string', default: '250' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(help);
else process.exitCode = await main();

interface Started {
  process: ChildProcess;
  port: number;
  served: string[];
  pool: Pool;
  bystander: string;
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
  const gone = once(child, 'exit').then(() => undefined);
  const next = async <K extends string>(key: K): Promise<Extract<Report, Record<K, unknown>>> => {
    for (;;) {
      const message = (await Promise.race([once(child, 'message'), gone]))?.[0] as Report | undefined;
      if (message === undefined) throw new Error('The server has ended.');
      if ('failed' in message) throw new Error(message.failed);
      if (key in message) return message as Extract<Report, Record<K, unknown>>;
    }
  };
  child.on('message', (message: Report) => {
    if ('logged' in message) onLog(message.logged);
    if ('stalled' in message) onStall(message.stalled);
  });
  // What connect writes about callers who hung up is of no interest; the last of it is, should the server end.
  let said = '';
  child.stderr?.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-4_000)));
  const { ready } = await next('ready');
  return {
    process: child,
    lastWords: () => said,
    ...ready,
    async hire(round) {
      child.send({ hire: round });
      return (await next('hired')).hired;
    },
  };
}

async function main(): Promise<number> {
  const calls = Number(values.calls);
  const probeMs = Number(values.probe);
  const rounds = Math.max(1, Math.ceil((2 * calls) / Number(values.fresh)));
  const methods = (await allMethods()).filter((method) => pathOf(method).includes(values.only));
  const logged: string[] = [];
  const samples: Sample[] = [];
  const stalls: Stall[] = [];
  const results: Outcomes[] = [];
  const server: { died?: string } = {};
  process.stdout.write(`Seed: ${values.seed}\n`);
  for (let round = 0; round < rounds && server.died === undefined; round += 1) {
    const share = Math.ceil(calls / rounds);
    const left = Math.min(share, calls - round * share);
    if (left <= 0) break;
    const running = await startServer(Number(values.devices), {
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
    const client = openClient(running.port, Number(values.parallel));
    results.push(
      await runCampaign({
        seed: `${values.seed} ${round}`,
        methods,
        served: new Set(running.served),
        pool: running.pool,
        client,
        parallel: Number(values.parallel),
        binary: left,
        json: left,
        hire: running.hire,
        onProgress: (done) => process.stderr.write(`\r${round * share * 2 + done} of ${2 * calls} calls`),
        onAnswer: ({ milliseconds }, call) => {
          if (probeMs > 0 && milliseconds > 2 * probeMs)
            process.stdout.write(
              `\n${new Date().toISOString()}: ${milliseconds.toFixed(0)} ms for ${written(methods, call)}\n`,
            );
        },
        stopped: () => server.died,
      }),
    );
    probe.kill();
    await client.close();
    if (server.died === undefined) {
      running.process.removeAllListeners('exit');
      const ended = once(running.process, 'exit');
      running.process.send({ close: true });
      await ended;
    }
  }
  process.stderr.write('\n');
  printSummary(results, samples, stalls);
  const defects = results.flatMap((outcomes) => outcomes.defects);
  for (const { repro, answer } of defects) {
    process.stdout.write(`\nDEFECT ${outcomeText(answer.code, answer.message)}\n  ${repro}\n`);
    const reference = /reference (\w+)/.exec(decodeURIComponent(answer.message))?.[1];
    const line = reference === undefined ? undefined : logged.find((each) => each.includes(reference));
    if (line !== undefined) process.stdout.write(`  ${line.slice(0, 3_000)}\n`);
  }
  const slow = slowProbes(samples, stalls, probeMs);
  for (const { path, milliseconds, at } of slow.slice(0, 20)) {
    process.stdout.write(`\nSLOW ${path} took ${milliseconds.toFixed(0)} ms, until ${new Date(at).toISOString()}\n`);
  }
  if (server.died !== undefined) process.stdout.write(`\n${server.died}\n`);
  const failed = defects.length > 0 || slow.length > 0 || server.died !== undefined;
  process.stdout.write(
    failed ? `\nFailed. Again: npm run fuzz -- --seed '${values.seed}' --calls ${calls}\n` : '\nNo defect.\n',
  );
  return failed ? 1 : 0;
}
