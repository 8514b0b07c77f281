import process from 'node:process';

import type { Outcomes } from './campaign.ts';
import type { Sample } from './probe.ts';
import type { Stall } from './server.ts';

/**
 * Prints the codes of each rpc with their counts, how many calls reached a service, and the effect on the bystander.
 */
export function printSummary(results: readonly Outcomes[], samples: readonly Sample[], stalls: readonly Stall[]): void {
  const codes = new Map<string, Map<string, number>>();
  for (const [path, counts] of results.flatMap((outcomes) => [...outcomes.codes])) {
    const sum = codes.get(path) ?? new Map<string, number>();
    for (const [code, count] of counts) sum.set(code, (sum.get(code) ?? 0) + count);
    codes.set(path, sum);
  }
  const lines = [...codes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, counts]) => {
      const codeCounts = [...counts].sort((a, b) => b[1] - a[1]).map(([code, count]) => `${code} ${count}`);
      return `${path.slice(1).padEnd(72)} ${codeCounts.join(', ')}`;
    });
  const reachedCount = results.reduce((sum, outcomes) => sum + outcomes.reached, 0);
  const authenticated = results.reduce((sum, outcomes) => sum + outcomes.authenticated, 0);
  const slowest = results
    .flatMap((outcomes) => outcomes.slowest)
    .sort((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, 15)
    .map(({ path, milliseconds, code }) => `  ${milliseconds.toFixed(0).padStart(6)} ms ${path} ${code}`);
  const sortNumbers = (item: readonly number[]) => item.toSorted((a, b) => a - b);
  const times = sortNumbers(samples.map(({ milliseconds }) => milliseconds));
  const ownTimes = sortNumbers(samples.map((sample) => ownTime(sample, stalls)));
  const percentiles = (item: readonly number[]) =>
    (
      [
        ['p50', 0.5],
        ['p95', 0.95],
        ['p99', 0.99],
        ['max', 1],
      ] as const
    )
      .map(
        ([name, fraction]) =>
          `${name} ${(item[Math.min(item.length - 1, Math.floor(item.length * fraction))] ?? 0).toFixed(1)} ms`,
      )
      .join(', ');
  const lostTime = samples.reduce((sum, { stealMs }) => sum + stealMs, 0);
  const errors = samples.filter(({ code }) => code !== 0).length;
  process.stdout.write(
    [
      ...lines,
      '',
      `Past sign-in and policy: ${((100 * reachedCount) / Math.max(authenticated, 1)).toFixed(1)}% of ${authenticated} calls with a bearer token`,
      "The fuzzer's slowest calls, while other calls were running:",
      ...slowest,
      `Bystander: ${times.length} calls, ${percentiles(times)}, ${errors} not OK`,
      `Excluding the time lost to the machine (${lostTime} ms to its host): ${percentiles(ownTimes)}`,
      `The machine stalled the server ${stalls.length} times, for ${stalls.reduce((sum, { from, to }) => sum + to - from, 0)} ms in total`,
      '',
    ].join('\n'),
  );
}

/** Returns the milliseconds of a bystander's call, excluding the time when the machine didn't run the server. */
function ownTime({ endedAt, milliseconds, stealMs }: Sample, stalls: readonly Stall[]): number {
  const startedAt = endedAt - milliseconds;
  const overlaps = stalls.map(({ from, to }) => Math.max(0, Math.min(endedAt, to) - Math.max(startedAt, from)));
  const stalledMs = overlaps.reduce((sum, part) => sum + part, 0);
  return milliseconds - Math.max(stalledMs, stealMs);
}

/** Returns the bystander's calls that took too long or did not return OK. */
export const findSlowProbes = (samples: readonly Sample[], stalls: readonly Stall[], milliseconds: number): Sample[] =>
  milliseconds === 0
    ? []
    : samples
        .filter((sample) => ownTime(sample, stalls) > milliseconds || sample.code !== 0)
        .sort((a, b) => b.milliseconds - a.milliseconds);
