import type { FieldRange } from '#commands/nouns/data/parser/bench/trace.ts';

/** Consecutive bytes of the same fields, within one row. */
export interface Segment {
  /** The fields read from these bytes: several if they share a byte. Empty for bytes that no field was read from. */
  readonly paths: readonly string[];
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** True if it continues a segment of the previous row. */
  readonly continues: boolean;
}

/** Returns the ranges without those that contain others: the fields, but not the types and lists around them. */
export function leafRanges(ranges: readonly FieldRange[]): readonly FieldRange[] {
  const parents = new Set(ranges.flatMap(({ path }) => ancestorsOf(path)));
  return ranges.filter(({ path, start, end }) => end > start && !parents.has(path));
}

/** Returns the paths around a path: `a` and `a.b` for `a.b[0]`. */
function ancestorsOf(path: string): readonly string[] {
  return [...path.matchAll(/\.|\[/g)].map(({ index }) => path.slice(0, index));
}

/** True if a path equals another path or lies within it. */
export function isWithin(path: string, outerPath: string): boolean {
  return path === outerPath || path.startsWith(`${outerPath}.`) || path.startsWith(`${outerPath}[`);
}

/** Returns the first part of a path, which decides its color. */
export const rootOf = (path: string): string => /^[^.[]*/.exec(path)?.[0] ?? path;

/** Splits the bytes of a message into rows, and the rows into segments. The byte at `failedAt` is its own segment. */
export function segmentRows(
  length: number,
  ranges: readonly FieldRange[],
  width: number,
  failedAt?: number,
): readonly (readonly Segment[])[] {
  const paths: string[][] = Array.from({ length }, () => []);
  for (const { path, start, end } of leafRanges(ranges)) {
    for (let index = start; index < Math.min(end, length); index++) paths[index]!.push(path);
  }
  const key = (index: number): string => (paths[index] ?? []).join('\n');
  const isBoundary = (index: number): boolean => index === failedAt || index - 1 === failedAt;
  return Array.from({ length: Math.ceil(length / width) }, (_, row) => {
    const [from, to] = [row * width, Math.min(length, (row + 1) * width)];
    const segments: Segment[] = [];
    for (let start = from; start < to;) {
      let end = start + 1;
      while (end < to && !isBoundary(end) && key(end) === key(start)) end++;
      const continues = start === from && start > 0 && key(start) !== '' && key(start - 1) === key(start);
      segments.push({ paths: paths[start]!, start, end, continues });
      start = end;
    }
    return segments;
  });
}

/** Formats the offset of a byte: `0010`. */
export const offsetText = (offset: number): string => offset.toString(16).toUpperCase().padStart(4, '0');

/** Splits hexadecimal digits into bytes. */
export const bytesOf = (hex: string): readonly string[] => hex.match(/../g) ?? [];
