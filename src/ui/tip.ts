import type { KeyHint } from './key-hint.ts';

/** The side of the element a tooltip appears on. */
export type TipSide = 'top' | 'right' | 'bottom' | 'left';

interface TipOptions {
  /** The equivalent keys. */
  readonly keys?: KeyHint | undefined;
  readonly side?: TipSide;
}

/**
 * Returns attributes for an element with a tooltip, which `TooltipLayer` shows on hover and focus. The tooltip is
 * visual only, so the same text must be in the element's name or description.
 */
export function tip(text: string | undefined, { keys, side }: TipOptions = {}): Readonly<Record<string, string>> {
  if (!text) return {};
  return {
    'data-tip': text,
    ...(keys ? { 'data-tip-keys': keys.text, ...keys.attributes } : {}),
    ...(side ? { 'data-tip-side': side } : {}),
  };
}
