// Measures text without triggering layout. A canvas takes microseconds, and each string is measured only once. Reading
// offsetWidth in a table cell would force a layout for every row that scrolls in.

/** The width in px of `text` in `font` (CSS shorthand, such as `500 11px "Inter Variable"`). */
export type MeasureText = (text: string, font: string) => number;

export const LABEL_FONT = '11px "Inter Variable", sans-serif';
export const HEAD_FONT = '500 11px "Inter Variable", sans-serif';
export const BODY_FONT = '12.5px "Inter Variable", sans-serif';

const MAX_CACHED_WIDTHS = 10_000;
/** Average width per letter in em, for environments without a canvas (a test DOM). */
const AVERAGE_ADVANCE = 0.56;

let context: CanvasRenderingContext2D | null | undefined;

function createMeasure(): MeasureText {
  const byFont = new Map<string, Map<string, number>>();
  return (text, font) => {
    const widths = byFont.get(font) ?? new Map<string, number>();
    byFont.set(font, widths);
    const cached = widths.get(text);
    if (cached !== undefined) return cached;
    if (context === undefined) context = document.createElement('canvas').getContext('2d');
    let width: number;
    if (context) {
      context.font = font;
      // The page uses tabular figures, which a canvas does not support, so measure the widest digit instead, and round
      // up.
      width = Math.ceil(context.measureText(text.replaceAll(/\d/g, '4')).width);
    } else width = text.length * AVERAGE_ADVANCE * Number.parseFloat(/[\d.]+px/.exec(font)?.[0] ?? '12');
    if (widths.size >= MAX_CACHED_WIDTHS) widths.clear();
    widths.set(text, width);
    return width;
  };
}

let measure = createMeasure();
const listeners = new Set<() => void>();

// Measurements in the fallback font are wrong once the web font has loaded.
function onFontsLoaded() {
  measure = createMeasure();
  for (const listener of listeners) listener();
}

/** Returns the measuring function. It is replaced once a font has loaded, which `subscribeFonts` reports. */
export const currentMeasure = (): MeasureText => measure;

export function subscribeFonts(listener: () => void): () => void {
  if (listeners.size === 0) document.fonts?.addEventListener('loadingdone', onFontsLoaded);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) document.fonts?.removeEventListener('loadingdone', onFontsLoaded);
  };
}
