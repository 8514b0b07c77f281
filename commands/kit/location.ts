import { p } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';

const POINT = /^\[?\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*\]?$/;

/** Parses a point in decimal degrees, as in `52.9124, 6.5581`. Undefined if it isn't a valid coordinate. */
export function parsePoint(text: string): { readonly latitude: number; readonly longitude: number } | undefined {
  const match = POINT.exec(text.trim());
  if (!match) return undefined;
  const [latitude, longitude] = [Number(match[1]), Number(match[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** A param for a point. An empty string removes the location. */
export const locationParam = p.text({
  clears: true,
  placeholder: '52.9124, 6.5581',
  check: (value) => (value === '' || parsePoint(value) ? undefined : message('core:validation.location', { value })),
});
