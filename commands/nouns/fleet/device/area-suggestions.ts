import { findMatches } from '#commands/kit/matching.ts';
import type { Context } from '#commands/model/context.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { loadTagLocations } from '#commands/nouns/fleet/tag/list.ts';
import type { Location } from '#proto/gen/hiber/base_pb.ts';

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
  const locations = (await loadTagLocations(context)).map(({ name, points }) => ({ name, area: boundingBox(points) }));
  return (await findMatches(locations, text, ({ name }) => name)).map(({ name, area }) => ({
    value: area,
    label: name,
    detail: area,
  }));
}
