// Hue ranges for organizations. They avoid the health hues (25, 60-68, 152) and the accent (262), so the band for
// another organization never looks like a health level or like focus.
const ARCS = [
  [185, 240],
  [285, 345],
] as const;

const SPAN = ARCS.reduce((sum, [from, to]) => sum + (to - from), 0);

/** Returns the hue of an organization in degrees. The same id always gives the same hue. */
export function organizationHue(organization: string): number {
  // FNV-1a spreads ids that differ in one character, unlike a sum of char codes.
  let hash = 0x811c9dc5;
  for (let i = 0; i < organization.length; i++) {
    hash = Math.imul(hash ^ organization.charCodeAt(i), 0x01000193);
  }
  let offset = (hash >>> 0) % SPAN;
  for (const [from, to] of ARCS) {
    if (offset < to - from) return from + offset;
    offset -= to - from;
  }
  return ARCS[0][0];
}
