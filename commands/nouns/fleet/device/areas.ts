import type { MessageInitShape } from '@bufbuild/protobuf';

import type { AreaSchema, Location } from '#proto/gen/hiber/base_pb.ts';
import type { Context } from '#commands/model/context.ts';
import { matching } from '#commands/kit/filter-keys.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { tagPlaces } from '#commands/nouns/fleet/tag/list.ts';

/** Two corners, in decimal degrees. */
type Area = MessageInitShape<typeof AreaSchema>;

/**
 * Latitude and longitude of both corners, however they are set apart: `52.9/6.5/53.1/6.8`, `[[52.9, 6.5], [53.1,
 * 6.8]]`.
 */
const NUMBER = String.raw`\s*(-?\d+(?:\.\d+)?)\s*`;
const POINT = String.raw`\s*[[(]?${NUMBER}[,;/\s]${NUMBER}[\])]?`;
/** Characters that two corners may take, so that no text keeps the pattern busy. */
const LONGEST = 100;
const AREA = new RegExp(String.raw`^\s*\[?${POINT}(?:[,;/\s]|\.\.|–|to)${POINT}\]?\s*$`);

function corners(text: string): readonly [number, number, number, number] | undefined {
  const found = text.length <= LONGEST ? AREA.exec(text) : null;
  if (!found) return undefined;
  const [south = NaN, west = NaN, north = NaN, east = NaN] = found.slice(1).map(Number);
  const onEarth = Math.max(Math.abs(south), Math.abs(north)) <= 90 && Math.max(Math.abs(west), Math.abs(east)) <= 180;
  return onEarth ? [south, west, north, east] : undefined;
}

/** The area between two typed corners; undefined when they are none on this earth. */
export function parseArea(text: string): Area | undefined {
  const found = corners(text);
  if (!found) return undefined;
  const [south, west, north, east] = found;
  return {
    bottomLeft: { latitude: south, longitude: west },
    topRight: { latitude: north, longitude: east },
  };
}

/** `52.9/6.5/53.1/6.8`, which needs no quotes; other text stays as it is. */
export function canonicalArea(text: string): string {
  const found = corners(text);
  return found ? found.join('/') : text;
}

/** How far around a point one looks. */
const NEAR_KM = 5;
const KM_PER_DEGREE = 111.2;

/** A box around all these points: of a single one, as far as people call near. */
function around(points: readonly Pick<Location, 'latitude' | 'longitude'>[]): string {
  const north = points.map(({ latitude }) => latitude);
  const east = points.map(({ longitude }) => longitude);
  const [south, west] = [Math.min(...north), Math.min(...east)];
  const margin = points.length === 1 ? NEAR_KM / KM_PER_DEGREE : 0;
  // A degree of longitude is shorter the farther it is from the equator.
  const wider = margin / Math.max(Math.cos((south * Math.PI) / 180), 0.01);
  const within = (value: number, most: number): number =>
    Math.round(Math.max(-most, Math.min(most, value)) * 10_000) / 10_000;
  return [
    within(south - margin, 90),
    within(west - wider, 180),
    within(Math.max(...north) + margin, 90),
    within(Math.max(...east) + wider, 180),
  ].join('/');
}

/** Areas around sites, wells and whatever else has a place, by the name of its tag. */
export async function suggestAreas(context: Context, text: string): Promise<readonly Suggestion[]> {
  const places = (await tagPlaces(context)).map(({ name, points }) => ({ name, area: around(points) }));
  return matching(places, text, ({ name }) => name).map(({ name, area }) => ({
    value: area,
    label: name,
    detail: area,
  }));
}
