import { create } from '@bufbuild/protobuf';
import { type SQL, sql, type SQLWrapper } from 'drizzle-orm';

import {
  type Area,
  AreaSchema,
  type Location,
  type LocationSelection,
  type Shape,
  ShapeSchema,
} from '#proto/gen/hiber/base_pb.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { presentLocation } from '#server/wire/present.ts';
import { MAX_TOTAL_POINTS, MAX_SHAPE_POINTS } from '#server/wire/requests/limits.ts';

import type { Point } from './schema/tag.ts';

/** An area, normalized to two corners. */
export interface Box {
  readonly bottomLeft: Point;
  readonly topRight: Point;
}

/** Reads the numbers or, if they are unset, the `[lat,lon]` text. Checks that the coordinates are valid. */
export function readLocation(value: Location, subject: string): Point {
  // The text counts only if the numbers are unset, as with Timestamp. Unset numbers look like 0, 0.
  const hasNumbers = value.latitude !== 0 || value.longitude !== 0 || !value.textual;
  const [point] = hasNumbers ? [value] : parsePoints(value.textual ?? '', subject, 1);
  return requireValidPoint(point ?? value, subject);
}

/** Accepts corners in any order (contract: Area). */
export function readArea(value: Area, subject: string): Box {
  const [corner, oppositeCorner] =
    value.bottomLeft && value.topRight
      ? [readLocation(value.bottomLeft, subject), readLocation(value.topRight, subject)]
      : parsePoints(value.textual ?? '', subject, 2).map((point) => requireValidPoint(point, subject));
  if (!corner || !oppositeCorner) throw invalidArgument(`${subject} needs two corners, as in [[52.8,6.4],[53.0,6.8]].`);
  return {
    bottomLeft: {
      latitude: Math.min(corner.latitude, oppositeCorner.latitude),
      longitude: Math.min(corner.longitude, oppositeCorner.longitude),
    },
    topRight: {
      latitude: Math.max(corner.latitude, oppositeCorner.latitude),
      longitude: Math.max(corner.longitude, oppositeCorner.longitude),
    },
  };
}

/** Reads a polygon. Its last point connects to its first. */
export function readShape(value: Shape, subject: string): Point[] {
  const points =
    value.path.length > 0
      ? value.path.map((point) => readLocation(point, subject))
      : parsePoints(value.textual ?? '', subject).map((point) => requireValidPoint(point, subject));
  if (points.length < 3) throw invalidArgument(`${subject} needs at least three points, as in [[0,0],[0,1],[1,1]].`);
  if (points.length > MAX_SHAPE_POINTS) {
    throw invalidArgument(`${subject} has ${points.length} points. A shape can have at most ${MAX_SHAPE_POINTS}.`);
  }
  return points;
}

function parsePoints(text: string, subject: string, count?: number): Point[] {
  const number = String.raw`\s*(-?\d+(?:\.\d+)?)\s*`;
  const points = [...text.matchAll(new RegExp(String.raw`\[${number},${number}\]`, 'g'))].map(
    ([, latitude, longitude]) => ({ latitude: Number(latitude), longitude: Number(longitude) }),
  );
  const unparsed = text
    .replaceAll(new RegExp(String.raw`\[${number},${number}\]`, 'g'), '')
    .replaceAll(/[[\],\s]/g, '');
  if (unparsed !== '' || points.length === 0 || (count !== undefined && points.length !== count)) {
    throw invalidArgument(`${subject} "${text}" isn't a list of points. Write each point as [latitude,longitude].`);
  }
  return points;
}

function requireValidPoint({ latitude, longitude }: Point, subject: string): Point {
  if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) {
    throw invalidArgument(
      `${subject} [${latitude},${longitude}] isn't a location. The latitude must be from -90 to 90, and the longitude from -180 to 180.`,
    );
  }
  return { latitude, longitude };
}

const formatPoint = ({ latitude, longitude }: Point): string => `[${latitude},${longitude}]`;

export function presentArea({ bottomLeft, topRight }: Box): Area {
  return create(AreaSchema, {
    bottomLeft: presentLocation(bottomLeft),
    topRight: presentLocation(topRight),
    center: presentLocation({
      latitude: (bottomLeft.latitude + topRight.latitude) / 2,
      longitude: (bottomLeft.longitude + topRight.longitude) / 2,
    }),
    textual: `[${formatPoint(bottomLeft)},${formatPoint(topRight)}]`,
  });
}

export function presentShape(path: readonly Point[]): Shape {
  return create(ShapeSchema, { path: path.map(presentLocation), textual: `[${path.map(formatPoint).join(',')}]` });
}

/**
 * Reads and checks the areas and shapes of a selection. Returns undefined if the selection is unset or empty, which
 * matches everything.
 */
export function readLocationSelection(
  value: LocationSelection | undefined,
): { areas: Box[]; shapes: Point[][] } | undefined {
  if (!value || value.areas.length + value.shapes.length === 0) return undefined;
  const shapes = value.shapes.map((shape) => readShape(shape, 'The shape'));
  const points = shapes.reduce((sum, shape) => sum + shape.length, 0);
  if (points > MAX_TOTAL_POINTS) {
    throw invalidArgument(
      `The shapes have ${points} points in total. A selection can have at most ${MAX_TOTAL_POINTS}. Simplify them.`,
    );
  }
  return { areas: value.areas.map((area) => readArea(area, 'The area')), shapes };
}

/** Returns the corners of an area, in order around it. */
export const cornersOf = ({ bottomLeft, topRight }: Box): Point[] => [
  bottomLeft,
  { latitude: bottomLeft.latitude, longitude: topRight.longitude },
  topRight,
  { latitude: topRight.latitude, longitude: bottomLeft.longitude },
];

/**
 * Returns a shape as a PostgreSQL polygon in degrees, with longitude as x. Areas are too small for the curvature of the
 * earth to matter.
 */
export const formatPolygon = (path: readonly Point[]): string =>
  `(${path.map(({ latitude, longitude }) => `(${longitude},${latitude})`).join(',')})`;

/** True if a point lies in any of the areas or shapes. False for items without a location. */
export function isWithin(
  latitude: SQLWrapper,
  longitude: SQLWrapper,
  selection: { areas: Box[]; shapes: Point[][] },
): SQL {
  const conditions = [
    ...selection.areas.map(
      ({ bottomLeft, topRight }) => sql`(${latitude} between ${bottomLeft.latitude} and ${topRight.latitude}
        and ${longitude} between ${bottomLeft.longitude} and ${topRight.longitude})`,
    ),
    ...selection.shapes.map((path) => sql`${formatPolygon(path)}::polygon @> point(${longitude}, ${latitude})`),
  ];
  return sql`(${sql.join(conditions, sql` or `)})`;
}
