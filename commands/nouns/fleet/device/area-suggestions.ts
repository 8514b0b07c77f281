import type { MessageInitShape } from '@bufbuild/protobuf';

import { findMatches } from '#commands/kit/matching.ts';
import type { Context } from '#commands/model/context.ts';
import { UnknownValueError } from '#commands/model/errors.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { loadTagLocations, type TagLocation } from '#commands/nouns/fleet/tag/list.ts';
import { message } from '#commands/text/message.ts';
import { namesWithWords, nearestNames } from '#commands/text/near.ts';
import type { Location, LocationSelectionSchema } from '#proto/gen/hiber/base_pb.ts';

import { parseArea } from './areas.ts';

/** Radius of the area around a single point. */
const NEAR_KM = 5;
const KM_PER_DEGREE = 111.2;
/** The maximum number of suggestions in an error. */
const MAX_CANDIDATES = 5;

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

/** Suggests places, such as sites and wells, by the names of the tags that have a location. */
export async function suggestAreas(context: Context, text: string): Promise<readonly Suggestion[]> {
  const places = new Map((await loadTagLocations(context)).map((place) => [place.name, place]));
  return (await findMatches([...places.values()], text, ({ name }) => name)).map(({ name, points }) => ({
    value: name,
    label: name,
    detail: boundingBox(points),
  }));
}

/**
 * Returns the areas that texts mean: two corners, or the name of a place. Several places of that name are all meant.
 *
 * @throws UnknownValueError with the nearest names
 */
export async function findAreas(
  values: readonly string[],
  context: Context,
): Promise<MessageInitShape<typeof LocationSelectionSchema>> {
  const places = values.every(parseArea) ? [] : await loadTagLocations(context);
  const areas = values.flatMap((value) => parseArea(value) ?? findPlaces(value, places));
  return {
    areas: areas.flatMap((area) => ('path' in area ? [] : [area])),
    shapes: areas.flatMap((area) => ('path' in area ? [area] : [])),
  };
}

function findPlaces(value: string, places: readonly TagLocation[]) {
  const name = value.trim().toLowerCase();
  const matches = places.filter((place) => place.name.toLowerCase() === name);
  if (matches.length === 0)
    throw unknownPlace(
      value,
      places.map((place) => place.name),
    );
  return matches.flatMap(({ points, isShape }) =>
    isShape ? { path: [...points] } : (parseArea(boundingBox(points)) ?? []),
  );
}

function unknownPlace(value: string, names: readonly string[]): UnknownValueError {
  const uniqueNames = [...new Set(names)];
  const closest = nearestNames(value, uniqueNames);
  const near = (closest.length > 0 ? closest : namesWithWords(value, uniqueNames)).slice(0, MAX_CANDIDATES);
  const text =
    near.length > 0
      ? message('device:filter.unknownPlaceNear', { value, near: near.join(', ') })
      : message('device:filter.unknownPlace', { value });
  return new UnknownValueError(text, value, near);
}
