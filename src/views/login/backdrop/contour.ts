/** Distance of the points where the field is looked at, in the units of the picture. */
const STEP = 15;

type Point = readonly [x: number, y: number];

/** The lines along which a field has one level, as an SVG path (marching squares; where two readings fit, either). */
export function contour(field: (x: number, y: number) => number, level: number, width: number, height: number): string {
  const parts: string[] = [];
  for (let y = 0; y < height; y += STEP) {
    for (let x = 0; x < width; x += STEP) {
      const corners: readonly Point[] = [
        [x, y],
        [x + STEP, y],
        [x + STEP, y + STEP],
        [x, y + STEP],
      ];
      const heights = corners.map(([cx, cy]) => field(cx, cy) - level);
      const crossings = corners.flatMap((from, at) => {
        const next = (at + 1) % corners.length;
        return crossing(from, corners[next]!, heights[at]!, heights[next]!);
      });
      for (let at = 0; at + 1 < crossings.length; at += 2) parts.push(`M${crossings[at]}L${crossings[at + 1]}`);
    }
  }
  return parts.join('');
}

/** Where an edge of a square crosses the level, if it does. */
function crossing([x1, y1]: Point, [x2, y2]: Point, from: number, to: number): readonly string[] {
  if (from > 0 === to > 0) return [];
  const share = from / (from - to);
  return [`${(x1 + (x2 - x1) * share).toFixed(1)} ${(y1 + (y2 - y1) * share).toFixed(1)}`];
}
