// Widths of short texts without layout: a canvas measures a string in microseconds, and each string only once. Reading
// offsetWidth in a table cell would force layout for every row that scrolls in.

/** The width in px of `text` set in `font` (CSS shorthand, such as `500 11px "Inter Variable"`). */
export type MeasureText = (text: string, font: string) => number;

export const LABEL_FONT = '11px "Inter Variable", sans-serif';
export const HEAD_FONT = '500 11px "Inter Variable", sans-serif';
export const BODY_FONT = '12.5px "Inter Variable", sans-serif';

const MOST_REMEMBERED = 10_000;
/** Average advance per letter in em, where there is no canvas to ask (a test DOM). */
const AVERAGE_ADVANCE = 0.56;

let context: CanvasRenderingContext2D | null | undefined;

function createMeasure(): MeasureText {
  const byFont = new Map<string, Map<string, number>>();
  return (text, font) => {
    const widths = byFont.get(font) ?? new Map<string, number>();
    byFont.set(font, widths);
    const known = widths.get(text);
    if (known !== undefined) return known;
    if (context === undefined) context = document.createElement('canvas').getContext('2d');
    let width: number;
    if (context) {
      context.font = font;
      // Figures are tabular on the page, which a canvas cannot set: each is as wide as its widest one, and a hair more.
      width = Math.ceil(context.measureText(text.replaceAll(/\d/g, '4')).width);
    } else width = text.length * AVERAGE_ADVANCE * Number.parseFloat(/[\d.]+px/.exec(font)?.[0] ?? '12');
    if (widths.size >= MOST_REMEMBERED) widths.clear();
    widths.set(text, width);
    return width;
  };
}

let measure = createMeasure();
const listeners = new Set<() => void>();

// What was measured in the fallback face is wrong once the real one is there.
function facesLoaded() {
  measure = createMeasure();
  for (const listener of listeners) listener();
}

/** How to measure now. Another function after a font face has loaded; with `subscribeFaces` a store. */
export const currentMeasure = (): MeasureText => measure;

export function subscribeFaces(listener: () => void): () => void {
  if (listeners.size === 0) document.fonts?.addEventListener('loadingdone', facesLoaded);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) document.fonts?.removeEventListener('loadingdone', facesLoaded);
  };
}
