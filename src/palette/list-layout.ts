import type { Group, Row } from './rows.ts';

export const ROW_HEIGHT = 32;
export const HEADING_HEIGHT = 26;

export interface Entry<R extends Row> {
  readonly key: string;
  readonly top: number;
  readonly height: number;
  readonly heading?: string;
  readonly row?: R;
  /** 1-based among the rows. */
  readonly place: number;
}

export interface ListLayout<R extends Row> {
  readonly entries: readonly Entry<R>[];
  readonly height: number;
  readonly rows: number;
}

/** Where each heading and row of a list lies, from the top, in px. */
export function layOut<R extends Row>(groups: readonly Group<R>[]): ListLayout<R> {
  const entries: Entry<R>[] = [];
  let top = 0;
  let place = 0;
  const add = (entry: Omit<Entry<R>, 'top' | 'place'>): void => {
    entries.push({ ...entry, top, place });
    top += entry.height;
  };
  for (const group of groups) {
    if (group.rows.length === 0) continue;
    if (group.heading !== undefined)
      add({ key: `heading ${group.id}`, height: HEADING_HEIGHT, heading: group.heading });
    for (const row of group.rows) {
      place++;
      add({ key: row.id, height: ROW_HEIGHT, row });
    }
  }
  return { entries, height: top, rows: place };
}

/** The entries between two heights, found by halving. */
export function visible<R extends Row>({ entries }: ListLayout<R>, from: number, to: number): readonly Entry<R>[] {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = entries[middle] as Entry<R>;
    if (entry.top + entry.height <= from) low = middle + 1;
    else high = middle;
  }
  const slice: Entry<R>[] = [];
  for (let at = low; at < entries.length && (entries[at] as Entry<R>).top < to; at++)
    slice.push(entries[at] as Entry<R>);
  return slice;
}
