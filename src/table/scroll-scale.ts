/**
 * Browsers cap an element's height (Firefox at 17.9 million px, and compositors place exactly only up to 2^24 px), and
 * a million rows of 28 px are 28 million. A longer list gets an element of this height, and positions are scaled.
 */
export const TALLEST = 15_000_000;

/** At either end of a scaled list, this many px are not scaled, so that the first and last rows are reached exactly. */
const EXACT = 100_000;

/**
 * Between the scroll position of the element and the offset in the list, both in px. A list that fits is not scaled at
 * all. In a longer one, small steps (wheel, keys, a finger) move the list by exactly as much; only a jump, which is the
 * scrollbar being dragged, is scaled. The difference that builds up is `base`.
 */
export function createScrollScale(tallest = TALLEST, exact = EXACT) {
  let content = 0;
  let viewport = 0;
  let height = 0;
  let position = 0;
  let offset = 0;

  const maxOffset = () => Math.max(0, content - viewport);
  const maxPosition = () => Math.max(0, height - viewport);
  const scaled = () => content > height;
  const ratio = () => (maxOffset() - 2 * exact) / (maxPosition() - 2 * exact);
  const clamp = (value: number, max: number) => Math.min(max, Math.max(0, value));

  const toPosition = (at: number) => {
    if (!scaled() || at <= exact) return at;
    if (at >= maxOffset() - exact) return maxPosition() - (maxOffset() - at);
    return Math.round(exact + (at - exact) / ratio());
  };
  const toOffset = (at: number) => {
    if (!scaled() || at <= exact) return at;
    if (at >= maxPosition() - exact) return maxOffset() - (maxPosition() - at);
    return exact + (at - exact) * ratio();
  };
  const inExactZone = () =>
    position <= exact || offset <= exact || position >= maxPosition() - exact || offset >= maxOffset() - exact;

  return {
    /** The height for the element. */
    height: () => height,
    /** px of the list above the visible part. */
    offset: () => offset,
    /** What to subtract from a row's place in the list to get its place in the element. */
    base: () => offset - position,
    /** New sizes; the offset stays as far as it still exists. Returns the scroll position to set. */
    resize(nextContent: number, nextViewport: number): number {
      content = nextContent;
      viewport = nextViewport;
      height = Math.min(content, tallest);
      return this.moveTo(offset);
    },
    /** Brings an offset of the list to the top. Returns the scroll position to set. */
    moveTo(next: number): number {
      offset = clamp(next, maxOffset());
      position = toPosition(offset);
      return position;
    },
    /**
     * The element was scrolled to `next`. Returns another scroll position to set instead, without anything visible
     * moving, when the difference built up has to go before an end of the list is reached.
     */
    scrolled(next: number): number | undefined {
      const step = next - position;
      position = next;
      const jumped = Math.abs(step) > Math.max(4 * viewport, 4_000);
      offset = scaled() && !jumped ? clamp(offset + step, maxOffset()) : clamp(Math.round(toOffset(next)), maxOffset());
      if (!scaled() || !inExactZone()) return undefined;
      const exactPosition = toPosition(offset);
      if (Math.abs(exactPosition - position) < 1) return undefined;
      position = exactPosition;
      return position;
    },
  };
}
