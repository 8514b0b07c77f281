/** Where a tooltip stands. */
export type TipSide = 'top' | 'right' | 'bottom' | 'left';

interface TipOptions {
  /** The keys that do the same as the element, as they are shown. */
  readonly keys?: string | undefined;
  readonly side?: TipSide;
}

/**
 * The attributes of an element that has a tooltip; `TooltipLayer` shows it on hover and focus. It is for the eye: what
 * it says must also be in the element's name or description.
 */
export function tip(text: string | undefined, { keys, side }: TipOptions = {}): Readonly<Record<string, string>> {
  if (!text) return {};
  return { 'data-tip': text, ...(keys ? { 'data-tip-keys': keys } : {}), ...(side ? { 'data-tip-side': side } : {}) };
}
