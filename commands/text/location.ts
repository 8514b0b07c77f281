/**
 * Formats the contract's text for a location, as in `57.64627, 0.98948`. Separates the corners of an area with a dash
 * and the points of a shape with dots. Returns other text unchanged.
 */
export function formatLocation(textual: string | undefined): string | undefined {
  if (!textual) return undefined;
  const points = [...textual.matchAll(/\[\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\]/g)].map(
    ([, latitude, longitude]) => `${latitude}, ${longitude}`,
  );
  return points.length === 0 ? textual : points.join(points.length === 2 ? ' – ' : ' · ');
}
