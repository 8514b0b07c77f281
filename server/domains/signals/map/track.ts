/** A position in degrees. */
interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** A place where a device was, at a time or, for a stay, from `start` to `end`. Times are in ms since the epoch. */
export interface Stay extends Position {
  readonly start: number;
  readonly end: number;
}

/** The map's largest zoom level (contract: MapService). */
export const MAX_LEVEL = 21;
/** The size of the world in the contract's coordinates. */
const WORLD = 256;
/** Web Mercator ends here, where the map is a square. */
const MAX_LATITUDE = (Math.atan(Math.sinh(Math.PI)) * 180) / Math.PI;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Projects a position to the contract's world coordinates. `turns` counts the crossings of the 180th meridian. */
function project({ latitude, longitude }: Position, turns: number): Point {
  const bounded = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
  const tangent = Math.tan(Math.PI / 4 + (bounded * Math.PI) / 360);
  return {
    x: WORLD / 2 + WORLD * (longitude / 360 + turns),
    y: WORLD / 2 - (WORLD / (2 * Math.PI)) * Math.log(tangent),
  };
}

/** Projects a track. A track that crosses the 180th meridian continues beyond the edge of the world. */
function projectTrack(track: readonly Position[]): readonly Point[] {
  let turns = 0;
  return track.map((position, index) => {
    const step = position.longitude - (track[index - 1]?.longitude ?? position.longitude);
    if (Math.abs(step) > 180) turns -= Math.sign(step);
    return project(position, turns);
  });
}

/**
 * Returns the finest detail of a level in world coordinates: one cell of the 256 by 256 grid within a tile, of which a
 * level has 2^level per axis.
 */
const toleranceOf = (level: number): number => 1 / 2 ** level;

/**
 * Simplifies a track to the detail of a level: joins consecutive positions that the level can't tell apart to one stay,
 * then drops the positions that lie on the way between their neighbors (Ramer-Douglas-Peucker). Keeps the first and
 * last position, and the places where the device stayed.
 */
export function simplifyTrack(track: readonly Stay[], level: number): readonly Stay[] {
  const tolerance = toleranceOf(level);
  const joinedStays = joinStays(track, tolerance);
  const stays = joinedStays.map(({ stay }) => stay);
  const points = projectTrack(stays);
  const fixed = joinedStays.flatMap(({ isRepeated }, index) =>
    isRepeated || index === 0 || index === stays.length - 1 ? [index] : [],
  );
  const kept = selectCorners(points, fixed, tolerance);
  return stays.filter((_, index) => kept.has(index));
}

interface JoinedStay {
  readonly stay: Stay;
  /** True if the device reported one position several times, so it stayed there and did not just pass. */
  readonly isRepeated: boolean;
}

/** Joins consecutive positions that are within the tolerance of the first one. */
function joinStays(track: readonly Stay[], tolerance: number): readonly JoinedStay[] {
  const points = projectTrack(track);
  const joinedStays: JoinedStay[] = [];
  let first: Point | undefined;
  for (const [index, position] of track.entries()) {
    const point = points[index]!;
    const isRepeated = position.start !== position.end;
    const last = joinedStays.at(-1);
    if (first && last && distance(first, point) < tolerance) {
      const stay = { ...last.stay, end: position.end };
      joinedStays[joinedStays.length - 1] = { stay, isRepeated: isRepeated || last.isRepeated };
    } else {
      first = point;
      joinedStays.push({ stay: position, isRepeated });
    }
  }
  return joinedStays;
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * Returns the indexes of the points that a line needs to stay within the tolerance of all points.
 *
 * @param fixed the indexes to keep in any case, with the first and the last one, in order
 */
function selectCorners(points: readonly Point[], fixed: readonly number[], tolerance: number): ReadonlySet<number> {
  const kept = new Set(fixed);
  // A stack, because a track of thousands of points could exceed the depth of recursion.
  const sections = fixed.slice(1).map((to, index): readonly [from: number, to: number] => [fixed[index]!, to]);
  for (let section = sections.pop(); section; section = sections.pop()) {
    const [from, to] = section;
    let farthest = -1;
    let greatest = tolerance;
    for (let index = from + 1; index < to; index++) {
      const away = distanceToLine(points[index]!, points[from]!, points[to]!);
      if (away < greatest) continue;
      farthest = index;
      greatest = away;
    }
    if (farthest < 0) continue;
    kept.add(farthest);
    sections.push([from, farthest], [farthest, to]);
  }
  return kept;
}

/** Returns the distance of a point to the line between two others. */
function distanceToLine(point: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  if (length === 0) return distance(point, from);
  const along = Math.max(0, Math.min(1, ((point.x - from.x) * dx + (point.y - from.y) * dy) / length));
  return distance(point, { x: from.x + along * dx, y: from.y + along * dy });
}
