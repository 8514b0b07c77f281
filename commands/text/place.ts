/**
 * Formats the contract's text of a location: `57.64627, 0.98948`; the corners of an area with a dash between them, the
 * points of a shape with dots. Other text is returned unchanged.
 */
export function placeText(textual: string | undefined): string | undefined {
  if (!textual) return undefined;
  const points = [...textual.matchAll(/\[\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\]/g)].map(
    ([, latitude, longitude]) => `${latitude}, ${longitude}`,
  );
  return points.length === 0 ? textual : points.join(points.length === 2 ? ' – ' : ' · ');
}
