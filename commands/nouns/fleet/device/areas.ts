import type { MessageInitShape } from '@bufbuild/protobuf';

import type { AreaSchema } from '#proto/gen/hiber/base_pb.ts';

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
