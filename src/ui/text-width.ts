// Widths of short texts without layout: a canvas measures a string in microseconds, and each string only once. Reading
// offsetWidth in a table cell would force layout for every row that scrolls in.

const widths = new Map<string, number>();
const LIMIT = 10_000;
/** Average advance per letter in em, where there is no canvas to ask (a test DOM). */
const AVERAGE_ADVANCE = 0.56;

let context: CanvasRenderingContext2D | null | undefined;

/** The width in px of `text` set in `font` (CSS shorthand, such as `500 11px "Inter Variable"`). */
export function textWidth(text: string, font: string): number {
  const key = `${font}\n${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (context === undefined) {
    context = document.createElement('canvas').getContext('2d');
    // What was measured in the fallback face is wrong once the real one is there.
    void document.fonts?.ready.then(() => widths.clear());
  }
  if (widths.size >= LIMIT) widths.clear();
  const width = context
    ? ((context.font = font), context.measureText(text).width)
    : text.length * AVERAGE_ADVANCE * Number.parseFloat(/[\d.]+px/.exec(font)?.[0] ?? '12');
  widths.set(key, width);
  return width;
}

export const LABEL_FONT = '11px "Inter Variable", sans-serif';
export const BODY_FONT = '12.5px "Inter Variable", sans-serif';
