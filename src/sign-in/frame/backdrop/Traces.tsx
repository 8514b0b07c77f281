import { HEIGHT, WIDTH } from './size.ts';

const ROWS = 17;
const GAP = HEIGHT / ROWS;
const STEP = 6;
/** The highlighted row. */
const HIGHLIGHTED = 7;

/**
 * Returns a plausible sensor reading at a point along the row: a slow tide, a burst that shifts from row to row, and
 * noise.
 */
function readingAt(row: number, x: number): number {
  const tide = Math.sin(x / 190 + row * 0.7) * 10;
  const burst = Math.exp(-(((x - 300 - ((row * 337) % 900)) / 90) ** 2)) * Math.sin(x / 7) * 26;
  const noise = Math.sin(x * 0.31 + row * 11) * Math.sin(x * 0.173 + row * 5) * 4;
  return tide + burst + noise;
}

function trace(row: number): string {
  const middle = GAP * (row + 0.5);
  const points = Array.from({ length: WIDTH / STEP + 1 }, (_, index) => {
    const x = index * STEP;
    return `${x} ${(middle - readingAt(row, x)).toFixed(1)}`;
  });
  return `M${points.join('L')}`;
}

const traces = Array.from({ length: ROWS }, (_, row) => trace(row));

/** Signals of a fleet, one below the other. */
export function Traces() {
  return traces.map((line, row) => (
    <path
      key={line}
      d={line}
      stroke={row === HIGHLIGHTED ? 'var(--accent)' : 'var(--line-strong)'}
      strokeWidth={row === HIGHLIGHTED ? 1.5 : 1}
      opacity={row === HIGHLIGHTED ? 0.7 : 0.75}
    />
  ));
}
