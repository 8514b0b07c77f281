// `npm run fuzz`: calls every rpc with random, extreme, and malformed requests, while an ordinary client, the
// bystander, keeps working.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import type { Round, RoundReport, RoundResult } from './round.ts';
import { formatOutcome } from './shrink.ts';
import { printSummary, findSlowProbes } from './summary.ts';

const HELP = `npm run fuzz -- [options]

  --calls N      number of binary calls, and of JSON calls (100000)
  --seed TEXT    seed of the random values; the same seed produces the same calls (the current time)
  --devices N    size of the fleet (48)
  --parallel N   concurrent calls; with 1, a run is exactly reproducible (8)
  --fresh N      number of calls after which the server is restarted (25000)
  --probe N      maximum milliseconds for the bystander's calls; 0 only measures them (250).
                 Calls that take twice as long are printed. Times exclude the processor time
                 that other programs or the machine's host took
  --only TEXT    calls only rpcs with this text in their path, such as ModemService/List (all)

Set DATABASE_URL to create the databases on a PostgreSQL server. By default, the server uses the embedded database.
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
if (values.help) process.stdout.write(HELP);
else process.exitCode = await main();

/**
 * Runs a round in its own process.
 *
 * @throws Error if the process exits without a result
 */
async function runRound(round: Round, onDone: (calls: number) => void): Promise<RoundResult> {
  const child = fork(fileURLToPath(new URL('round.ts', import.meta.url)), [JSON.stringify(round)], {
    execArgv: ['--import', 'tsx'],
    serialization: 'advanced',
  });
  const exited = once(child, 'exit');
  const received: { result?: RoundResult } = {};
  child.on('message', (message: RoundReport) => {
    if ('completed' in message) onDone(message.completed);
    else if ('slow' in message) process.stdout.write(`\n${message.slow}\n`);
    else received.result = message.result;
  });
  const [code, signal] = await exited;
  if (!received.result) throw new Error(`A round ended without a result (${String(signal ?? code)}).`);
  return received.result;
}

async function main(): Promise<number> {
  const calls = Number(values.calls);
  const probeMs = Number(values.probe);
  const rounds = Math.max(1, Math.ceil((2 * calls) / Number(values.fresh)));
  const finishedRounds: RoundResult[] = [];
  process.stdout.write(`Seed: ${values.seed}\n`);
  for (let round = 0; round < rounds && finishedRounds.every(({ crash }) => crash === undefined); round += 1) {
    const callsPerRound = Math.ceil(calls / rounds);
    const count = Math.min(callsPerRound, calls - round * callsPerRound);
    if (count <= 0) break;
    const seed = `${values.seed} ${round}`;
    const [devices, concurrency] = [Number(values.devices), Number(values.parallel)];
    const plan = { seed, devices, concurrency, binaryCount: count, jsonCount: count, probeMs, pathFilter: values.only };
    finishedRounds.push(
      await runRound(plan, (completed) =>
        process.stderr.write(`\r${round * callsPerRound * 2 + completed} of ${2 * calls} calls`),
      ),
    );
  }
  const results = finishedRounds.map(({ outcomes }) => outcomes);
  const [samples, stalls, logLines] = [
    finishedRounds.flatMap((result) => result.samples),
    finishedRounds.flatMap((result) => result.stalls),
    finishedRounds.flatMap((result) => result.logLines),
  ];
  const crash = finishedRounds.at(-1)?.crash;
  process.stderr.write('\n');
  printSummary(results, samples, stalls);
  const defects = results.flatMap((outcomes) => outcomes.defects);
  for (const { repro, reply } of defects) {
    process.stdout.write(`\nDEFECT ${formatOutcome(reply.code, reply.message)}\n  ${repro}\n`);
    const reference = /reference (\w+)/.exec(decodeURIComponent(reply.message))?.[1];
    const line = reference === undefined ? undefined : logLines.find((value) => value.includes(reference));
    if (line !== undefined) process.stdout.write(`  ${line.slice(0, 3000)}\n`);
  }
  const slow = findSlowProbes(samples, stalls, probeMs);
  for (const { path, milliseconds, endedAt } of slow.slice(0, 20)) {
    process.stdout.write(
      `\nSLOW ${path} took ${milliseconds.toFixed(0)} ms, until ${new Date(endedAt).toISOString()}\n`,
    );
  }
  if (crash !== undefined) process.stdout.write(`\n${crash}\n`);
  const hasFailed = defects.length > 0 || slow.length > 0 || crash !== undefined;
  process.stdout.write(
    hasFailed
      ? `\nFailed. Rerun it with: npm run fuzz -- --seed '${values.seed}' --calls ${calls}\n`
      : '\nNo defects.\n',
  );
  return hasFailed ? 1 : 0;
}
