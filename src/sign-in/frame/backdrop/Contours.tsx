import { contours } from './contour.ts';
import { HEIGHT, WIDTH } from './size.ts';

/** Shoals: position, radius, and height. */
const SHOALS = [
  [430, 380, 250, 1.15],
  [760, 560, 330, 0.95],
  [1150, 250, 230, 0.8],
  [1220, 860, 280, 0.75],
  [200, 900, 260, 0.7],
] as const;

/** Returns the height at a point, from 0 (deep) to about 1.5. */
function height(x: number, y: number): number {
  const shoals = SHOALS.map(([cx, cy, radius, top]) => top * Math.exp(-((x - cx) ** 2 + (y - cy) ** 2) / radius ** 2));
  const swell = 0.07 * Math.sin(x / 97 + y / 213) * Math.cos(y / 131) + 0.04 * Math.sin((x + y) / 61);
  return shoals.reduce((sum, shoal) => sum + shoal, swell);
}

const LEVELS = Array.from({ length: 15 }, (_, index) => 0.14 + index * 0.1);
const lines = contours(height, LEVELS, WIDTH, HEIGHT);

/** Depth contours of a sea floor. Every fourth line is heavier, as on nautical charts. */
export function Contours() {
  return lines.map((line, index) => (
    <path
      key={LEVELS[index]}
      d={line}
      stroke={index % 4 === 3 ? 'var(--line-strong)' : 'var(--line)'}
      strokeWidth={index % 4 === 3 ? 1.5 : 1}
      strokeLinecap="round"
    />
  ));
}
