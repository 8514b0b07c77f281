import { create } from '@bufbuild/protobuf';

import type { Area, Location } from '#proto/gen/hiber/base_pb.ts';
import { LocationSchema } from '#proto/gen/hiber/base_pb.ts';
import { type Box, presentArea, readArea, readLocation } from '#server/db/locations.ts';
import type { Point } from '#server/db/schema/tag.ts';
import { presentLocation } from '#server/wire/present.ts';

import { requireRotation } from './limits.ts';

/** The simulated locations of a device: random in an area, or one after another. */
export interface SimulatedLocations {
  readonly area: Box | null;
  readonly locations: readonly Point[] | null;
}

export const readRandomArea = (area: Area): SimulatedLocations => ({
  area: readArea(area, 'random_location_in_area'),
  locations: null,
});

/** Reads a rotation; an empty one ends the simulation of locations. */
export function readRotation(locations: readonly Location[]): SimulatedLocations {
  requireRotation(locations, 'The rotation of locations');
  const read = locations.map((location, index) => readLocation(location, `locations[${index}]`));
  return { area: null, locations: read.length === 0 ? null : read };
}

/** Returns the location at a position of the rotation, or a random one in the area. */
export function pickLocation({ area, locations }: SimulatedLocations, position: number): Point | undefined {
  if (area === null) return locations?.[position % locations.length];
  return {
    latitude: randomBetween(area.bottomLeft.latitude, area.topRight.latitude),
    longitude: randomBetween(area.bottomLeft.longitude, area.topRight.longitude),
  };
}

/** Rounded to about a meter. */
const randomBetween = (low: number, high: number): number =>
  Math.min(high, Math.max(low, Math.round((low + Math.random() * (high - low)) * 1e5) / 1e5));

export const presentRandomArea = (area: Box): Area => presentArea(area);

export const presentRotation = (locations: readonly Point[]): Location[] =>
  locations.map((location) => create(LocationSchema, presentLocation(location)));
