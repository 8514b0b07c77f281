/** Sampling distance, in picture units. */
const STEP = 10;

type Point = readonly [x: number, y: number];
/** A point and the field's value at that point. */
type Sample = readonly [...Point, number];

/**
 * Returns a field's contour lines for each level, as SVG paths. Uses marching squares, and picks either pair of lines
 * in an ambiguous case.
 */
export function contours(
  field: (...point: Point) => number,
  levels: readonly number[],
  width: number,
  height: number,
): readonly string[] {
  const squares = sampleSquares(field, Math.ceil(width / STEP), Math.ceil(height / STEP));
  return levels.map((level) => squares.map((corners) => lineThrough(corners, level)).join(''));
}

/** Samples the field at the corners of each square of a grid. */
function sampleSquares(
  field: (...point: Point) => number,
  columns: number,
  rows: number,
): readonly (readonly Sample[])[] {
  const pointsPerRow = columns + 1;
  const samples = Array.from({ length: pointsPerRow * (rows + 1) }, (_, index): Sample => {
    const [x, y] = [(index % pointsPerRow) * STEP, Math.floor(index / pointsPerRow) * STEP];
    return [x, y, field(x, y)];
  });
  return Array.from({ length: columns * rows }, (_, index) => {
    const first = Math.floor(index / columns) * pointsPerRow + (index % columns);
    return [first, first + 1, first + pointsPerRow + 1, first + pointsPerRow].flatMap((corner) => {
      const sample = samples[corner];
      return sample ? [sample] : [];
    });
  });
}

function lineThrough(corners: readonly Sample[], level: number): string {
  const [from, to, from2, to2] = corners.flatMap((corner, index) =>
    crossingPoint(corner, corners[index + 1] ?? corners[0], level),
  );
  if (from === undefined) return '';
  return from2 === undefined ? `M${from}L${to}` : `M${from}L${to}M${from2}L${to2}`;
}

/** Returns the point where an edge of a square crosses the level, if it does. */
function crossingPoint([x1, y1, from]: Sample, end: Sample | undefined, level: number): readonly string[] {
  const [x2, y2, to] = end ?? [x1, y1, from];
  if (from > level === to > level) return [];
  const fraction = (level - from) / (to - from);
  return [`${(x1 + (x2 - x1) * fraction).toFixed(1)} ${(y1 + (y2 - y1) * fraction).toFixed(1)}`];
}
