/**
 * Formats the contract's text for a location, as in `57.64627, 0.98948`. The corners of an area are separated by a
 * dash, the points of a shape by dots. Other text is returned unchanged.
 */
export function formatLocation(textual: string | undefined): string | undefined {
  if (!textual) return undefined;
  const points = [...textual.matchAll(/\[\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\]/g)].map(
    ([, latitude, longitude]) => `${latitude}, ${longitude}`,
  );
  return points.length === 0 ? textual : points.join(points.length === 2 ? ' – ' : ' · ');
}
