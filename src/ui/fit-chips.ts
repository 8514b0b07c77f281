import { currentMeasure, LABEL_FONT } from './text-width.ts';

/** Horizontal padding and border of a Chip. */
const CHIP_FRAME = 14;
/** The gap between two Chips. */
const GAP = 4;

/**
 * Returns how many of `names`, in order, fit as chips in `width` px, leaving room for a `+N` for the rest. Returns at
 * least 1 if there are names, because even a truncated chip is more useful than a bare count.
 */
export function fitChips(names: readonly string[], width: number): number {
  const measure = currentMeasure();
  let usedWidth = 0;
  let fittingCount = 0;
  for (const [index, name] of names.entries()) {
    const next = usedWidth + (index > 0 ? GAP : 0) + CHIP_FRAME + measure(name, LABEL_FONT);
    const remainingCount = names.length - index - 1;
    const counter = remainingCount > 0 ? GAP + measure(`+${remainingCount}`, LABEL_FONT) : 0;
    if (next + counter > width) break;
    usedWidth = next;
    fittingCount = index + 1;
  }
  return Math.max(fittingCount, Math.min(1, names.length));
}
