import type { Ledger } from './ledger.ts';

export interface TortureResult {
  readonly database: 'PGlite' | 'PostgreSQL';
  readonly kills: number;
  readonly seconds: number;
  readonly ledger: Ledger;
  /** Calls that arrived at the receivers. */
  readonly arrivals: number;
  /** Repeated calls among the arrivals. */
  readonly repeats: number;
  readonly events: number;
  /** One sentence for everything that was lost, out of order, or stuck. */
  readonly losses: readonly string[];
}

const MAX_LOSSES = 20;

/** Formats the result as a table, with the first losses. */
export function formatResult({
  database,
  kills,
  seconds,
  ledger,
  arrivals,
  repeats,
  events,
  losses,
}: TortureResult): string {
  const rows: [string, string | number][] = [
    ['database', database],
    ['kills', kills],
    ['seconds', Math.round(seconds)],
    ...[...ledger.counts()].map(([kind, { acknowledged, unknown }]): [string, string] => [
      kind,
      `${acknowledged} acknowledged, ${unknown} without a response`,
    ]),
    ['events to deliver', events],
    ['calls that arrived', `${arrivals}, ${repeats} of them repeated`],
    ['lost, out of order, or stuck', losses.length],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
  return `\n${[...lines, ...losses.slice(0, MAX_LOSSES).map((loss) => `  - ${loss}`)].join('\n')}\n`;
}
