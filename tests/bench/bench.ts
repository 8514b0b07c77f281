/** A measurement and its baseline, from the same machine and the same run. */
export interface Row {
  readonly name: string;
  readonly unit: 'ms' | 'MB' | 'KB' | 'elements' | 'pages';
  readonly value: number;
  /**
   * The best possible value, such as that of an empty page, a bare SQL query, or a hand-written version; or a budget.
   */
  readonly baseline: number;
  /**
   * Whether the baseline is a budget in milliseconds for work by the processor. The run then compares with a higher
   * budget on a slow machine (`calibration.ts`). Leave it out if most of the time is spent waiting.
   */
  readonly isWorkBudget?: boolean;
  /** The highest acceptable `value / baseline`. */
  readonly target: number;
}

export interface Bench {
  readonly title: string;
  run(): Promise<Row[]>;
}

/** Returns the percentile of the values by rank: `percent` of them are below it. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))];
  if (value === undefined) throw new Error('Nothing was measured.');
  return value;
}

/**
 * Measures several tasks in turn, round after round, so changes in the machine's load affect all of them equally.
 *
 * @param warmup the number of rounds that do not count
 * @returns the milliseconds of each round, keyed by name
 */
export async function measureInTurn<Name extends string>(
  tasks: Record<Name, () => Promise<unknown>>,
  rounds: number,
  warmup = 5,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(tasks) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = -warmup; round < rounds; round++) {
    for (const name of names) {
      const startedAt = performance.now();
      await tasks[name]();
      if (round >= 0) times[name].push(performance.now() - startedAt);
    }
  }
  return times;
}
