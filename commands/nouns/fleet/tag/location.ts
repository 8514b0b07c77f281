import { formatLocation } from '#commands/text/location.ts';
import type { Tag } from '#proto/gen/hiber/tag_pb.ts';

/** Returns the location of a tag as text: a point, the two corners of an area, or the path of a shape. */
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
