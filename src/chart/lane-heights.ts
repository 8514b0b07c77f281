/** The minimum height of a lane, in px. If the lanes do not fit, they scroll. */
const MIN_LANE = 72;

/** Divides the height of a chart among its lanes. Lanes that need more than an equal share get what they need. */
export function laneHeights(height: number, neededHeights: readonly number[]): readonly number[] {
  const minHeights = neededHeights.map((needed) => Math.max(MIN_LANE, needed));
  const large = new Set<number>();
  const share = (): number => {
    const rest = minHeights.reduce((sum, min, index) => (large.has(index) ? sum - min : sum), height);
    return Math.floor(rest / Math.max(1, minHeights.length - large.size));
  };
  for (let size = -1; size < large.size;) {
    size = large.size;
    const equalShare = share();
    minHeights.forEach((min, index) => min > equalShare && large.add(index));
  }
  return minHeights.map((min, index) => (large.has(index) ? min : share()));
}
