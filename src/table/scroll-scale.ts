/**
 * A million rows of 28 px need 28 million px, but browsers limit the height of an element. Firefox allows 17.9 million
 * px, and compositors are exact only up to 2^24 px. A taller list gets an element of this height, and its positions are
 * scaled.
 */
export const MAX_HEIGHT = 15_000_000;

/**
 * The height in px of the unscaled part at each end of a scaled list. It lets the user reach the first and last rows
 * exactly.
 */
const EXACT_ZONE = 100_000;

/**
 * Converts between the scroll position of the element and the offset in the list, both in px. Short lists aren't
 * scaled. In longer lists, small steps (wheel, keys, touch) move the list by the same distance, and only jumps, from
 * dragging the scrollbar, are scaled. `base` is the accumulated difference.
 */
export function createScrollScale(maxHeight = MAX_HEIGHT, exactZone = EXACT_ZONE) {
  let content = 0;
  let viewport = 0;
  let height = 0;
  let position = 0;
  let offset = 0;

  const maxOffset = () => Math.max(0, content - viewport);
  const maxPosition = () => Math.max(0, height - viewport);
  const isScaled = () => content > height;
  const ratio = () => (maxOffset() - 2 * exactZone) / (maxPosition() - 2 * exactZone);
  const clamp = (value: number, max: number) => Math.min(max, Math.max(0, value));

  const toPosition = (listOffset: number) => {
    if (!isScaled() || listOffset <= exactZone) return listOffset;
    if (listOffset >= maxOffset() - exactZone) return maxPosition() - (maxOffset() - listOffset);
    return Math.round(exactZone + (listOffset - exactZone) / ratio());
  };
  const toOffset = (elementPosition: number) => {
    if (!isScaled() || elementPosition <= exactZone) return elementPosition;
    if (elementPosition >= maxPosition() - exactZone) return maxOffset() - (maxPosition() - elementPosition);
    return exactZone + (elementPosition - exactZone) * ratio();
  };
  const inExactZone = () =>
    position <= exactZone ||
    offset <= exactZone ||
    position >= maxPosition() - exactZone ||
    offset >= maxOffset() - exactZone;

  return {
    /** The height of the element. */
    height: () => height,
    /** The height in px of the part of the list above the viewport. */
    offset: () => offset,
    /** The difference between a row's offset in the list and its position in the element. */
    base: () => offset - position,
    /** Sets new sizes, keeping the offset if it still exists. Returns the scroll position to set. */
    resize(nextContent: number, nextViewport: number): number {
      content = nextContent;
      viewport = nextViewport;
      height = Math.min(content, maxHeight);
      return this.moveTo(offset);
    },
    /** Scrolls to an offset in the list. Returns the scroll position to set. */
    moveTo(next: number): number {
      offset = clamp(next, maxOffset());
      position = toPosition(offset);
      return position;
    },
    /**
     * Called after the element has scrolled to `next`. Near an end of the list, returns a scroll position to set
     * instead, which removes the accumulated difference without visible movement.
     */
    handleScroll(next: number): number | undefined {
      const step = next - position;
      position = next;
      const isJump = Math.abs(step) > Math.max(4 * viewport, 4000);
      offset =
        isScaled() && !isJump ? clamp(offset + step, maxOffset()) : clamp(Math.round(toOffset(next)), maxOffset());
      if (!isScaled() || !inExactZone()) return undefined;
      const exactPosition = toPosition(offset);
      if (Math.abs(exactPosition - position) < 1) return undefined;
      position = exactPosition;
      return position;
    },
  };
}
