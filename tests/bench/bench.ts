/** One measurement beside the best that could be had on the same machine in the same run. */
export interface Row {
  readonly name: string;
  readonly unit: 'ms' | 'MB' | 'KB' | 'elements' | 'pages';
  readonly value: number;
  /** The floor: an empty page, a bare SQL query, a hand-made version. */
  readonly baseline: number;
  /** The greatest `value / baseline` that is good enough. */
  readonly target: number;
}

export interface Bench {
  readonly title: string;
  run(): Promise<Row[]>;
}

/** The value that `percent` of the values are below, by rank. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))];
  if (value === undefined) throw new Error('Nothing was measured.');
  return value;
}

/**
 * Times several things in turn, round after round, so that a change of the machine's mood hits all of them alike.
 *
 * @param warmup rounds that are not counted
 * @returns the milliseconds of each round, by the names given
 */
export async function interleaved<Name extends string>(
  things: Record<Name, () => Promise<unknown>>,
  rounds: number,
  warmup = 5,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(things) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = -warmup; round < rounds; round++) {
    for (const name of names) {
      const began = performance.now();
      await things[name]();
      if (round >= 0) times[name].push(performance.now() - began);
    }
  }
  return times;
}
