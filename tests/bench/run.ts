// Runs tests/bench/*.bench.ts, or only the files whose names contain an argument, and prints a table for each.
import { readdirSync } from 'node:fs';
import process from 'node:process';

import type { Bench, Row } from './bench.ts';
import { scaleBudget, slowness, timeCounting } from './calibration.ts';

const nameParts = process.argv.slice(2);
const files = readdirSync(import.meta.dirname)
  .filter(
    (name) => name.endsWith('.bench.ts') && (nameParts.length === 0 || nameParts.some((part) => name.includes(part))),
  )
  .toSorted();
if (files.length === 0) {
  console.error(`No benchmark has "${nameParts.join('" or "')}" in its name.`);
  process.exit(2);
}

const head = ['', 'measured', 'baseline', 'ratio', 'target', ''];

function cells({ name, unit, value, baseline, target }: Row): string[] {
  const ratio = value / baseline;
  const amount = (number: number) => `${number < 10 ? number.toFixed(2) : number.toFixed(1)} ${unit}`;
  return [name, amount(value), amount(baseline), ratio.toFixed(2), `≤ ${target}`, ratio <= target ? 'ok' : 'over'];
}

function table(rows: readonly string[][]): string {
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return rows.map(line).join('\n');
}

for (const file of files) {
  const { bench } = (await import(`./${file}`)) as { bench: Bench };
  console.log(`\n${bench.title} (${file})\n`);
  const before = timeCounting();
  const rows = await bench.run();
  const factor = slowness([...before, ...timeCounting()]);
  console.log(`Budgets for work are multiplied by ${factor.toFixed(2)}, the slowness of this machine.\n`);
  console.log(table([head, ...rows.map((row) => cells(scaleBudget(row, factor)))]));
}
// The test kit keeps databases open for reuse, which would keep this process alive.
process.exit();
