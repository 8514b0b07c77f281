import { formatLocation } from '#commands/text/location.ts';
import type { Tag } from '#proto/gen/hiber/tag_pb.ts';

/** Returns the location of a tag as text: a point, the two corners of an area or the path of a shape. */
export function locationText({ metadata }: Tag): string | undefined {
  const location = metadata?.location;
  switch (location?.case) {
    case 'locationPoint': {
      const { latitude, longitude, textual } = location.value;
      return formatLocation(textual ?? `[${latitude},${longitude}]`);
    }
    case 'locationArea':
    case 'locationShape':
      return formatLocation(location.value.textual);
    default:
      return undefined;
  }
}

const POINT = /^\[?\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*\]?$/;

/** Parses a point in decimal degrees, as in `52.9124, 6.5581`. Undefined if it is not a valid coordinate. */
export function parsePoint(text: string): { readonly latitude: number; readonly longitude: number } | undefined {
  const match = POINT.exec(text.trim());
  if (!match) return undefined;
  const [latitude, longitude] = [Number(match[1]), Number(match[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}
