import type { MessageInitShape } from '@bufbuild/protobuf';

import { findMatching } from '#commands/kit/matching.ts';
import type { Context } from '#commands/model/context.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { tagLocations } from '#commands/nouns/fleet/tag/list.ts';
import type { AreaSchema, Location } from '#proto/gen/hiber/base_pb.ts';

/** Two corners, in decimal degrees. */
type Area = MessageInitShape<typeof AreaSchema>;

const NUMBER = String.raw`\s*(-?\d+(?:\.\d+)?)\s*`;
const POINT = String.raw`\s*[[(]?${NUMBER}[,;/\s]${NUMBER}[\])]?`;
/** Maximum length of the text, which limits the time for matching. */
const MAX_LENGTH = 100;
/** Latitude and longitude of both corners, with any separator: `52.9/6.5/53.1/6.8`, `[[52.9, 6.5], [53.1, 6.8]]`. */
const AREA = new RegExp(String.raw`^\s*\[?${POINT}(?:[,;/\s]|\.\.|–|to)${POINT}\]?\s*$`);

function parseCorners(text: string): readonly [number, number, number, number] | undefined {
  const match = text.length <= MAX_LENGTH ? AREA.exec(text) : null;
  if (!match) return undefined;
  const [south = NaN, west = NaN, north = NaN, east = NaN] = match.slice(1).map(Number);
  const isValid = Math.max(Math.abs(south), Math.abs(north)) <= 90 && Math.max(Math.abs(west), Math.abs(east)) <= 180;
  return isValid ? [south, west, north, east] : undefined;
}

/** Returns the area between two typed corners. Undefined if they are not valid coordinates. */
export function parseArea(text: string): Area | undefined {
  const corners = parseCorners(text);
  if (!corners) return undefined;
  const [south, west, north, east] = corners;
  return {
    bottomLeft: { latitude: south, longitude: west },
    topRight: { latitude: north, longitude: east },
  };
}

/** Returns an area as `52.9/6.5/53.1/6.8`, which needs no quotes. Returns other text unchanged. */
export function canonicalArea(text: string): string {
  const corners = parseCorners(text);
  return corners ? corners.join('/') : text;
}

/** Radius of the area around a single point. */
const NEAR_KM = 5;
const KM_PER_DEGREE = 111.2;

/** Returns the bounding box of points. A single point gets a box that extends {@link NEAR_KM} to each side. */
function boundingBox(points: readonly Pick<Location, 'latitude' | 'longitude'>[]): string {
  const latitudes = points.map(({ latitude }) => latitude);
  const longitudes = points.map(({ longitude }) => longitude);
  const [south, west] = [Math.min(...latitudes), Math.min(...longitudes)];
  const margin = points.length === 1 ? NEAR_KM / KM_PER_DEGREE : 0;
  // A degree of longitude gets shorter toward the poles.
  const longitudeMargin = margin / Math.max(Math.cos((south * Math.PI) / 180), 0.01);
  const clamp = (value: number, limit: number): number =>
    Math.round(Math.max(-limit, Math.min(limit, value)) * 10_000) / 10_000;
  return [
    clamp(south - margin, 90),
    clamp(west - longitudeMargin, 180),
    clamp(Math.max(...latitudes) + margin, 90),
    clamp(Math.max(...longitudes) + longitudeMargin, 180),
  ].join('/');
}

/** Suggests areas around sites, wells, and anything else with a location, by tag name. */
export async function suggestAreas(context: Context, text: string): Promise<readonly Suggestion[]> {
  const locations = (await tagLocations(context)).map(({ name, points }) => ({ name, area: boundingBox(points) }));
  return (await findMatching(locations, text, ({ name }) => name)).map(({ name, area }) => ({
    value: area,
    label: name,
    detail: area,
  }));
}
