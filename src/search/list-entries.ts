import type { Group, Row } from './rows.ts';

export const ROW_HEIGHT = 32;
export const HEADING_HEIGHT = 26;

export interface Entry<R extends Row> {
  readonly key: string;
  /** px from the top of the list. */
  readonly top: number;
  readonly height: number;
  readonly heading?: string;
  readonly row?: R;
  /** 1-based position among the rows. A heading has the position of the row before it. */
  readonly position: number;
}

export interface ListEntries<R extends Row> {
  readonly entries: readonly Entry<R>[];
  readonly height: number;
  readonly rowCount: number;
}

/** Returns the headings and rows of a list, in order, with their heights in px. */
export function listEntries<R extends Row>(groups: readonly Group<R>[]): ListEntries<R> {
  const entries: Entry<R>[] = [];
  let height = 0;
  let position = 0;
  const add = (entry: Omit<Entry<R>, 'position' | 'top'>): void => {
    entries.push({ ...entry, position, top: height });
    height += entry.height;
  };
  for (const group of groups) {
    if (group.rows.length === 0) continue;
    if (group.heading !== undefined)
      add({ key: `heading ${group.id}`, height: HEADING_HEIGHT, heading: group.heading });
    for (const row of group.rows) {
      position++;
      add({ key: row.id, height: ROW_HEIGHT, row });
    }
  }
  return { entries, height, rowCount: position };
}
