import type { Context } from '#commands/model/context.ts';
import type { AnyEntity, DeferredValues } from '#commands/model/entity.ts';
import { report } from '#src/net/report.ts';

/** The maximum number of items whose values are kept. Matches the number of rows that a table keeps. */
const MAX_ITEMS = 4000;

/** Completes rows with the values of optional columns ({@link DeferredValues}) while such a column is visible. */
export interface DeferredLoader {
  /** True while a visible column needs the values. */
  isNeeded(): boolean;
  setNeeded(isNeeded: boolean): void;
  /** Returns the rows with the values that are known, so a reload does not empty their cells. */
  addKnown(rows: readonly unknown[]): readonly unknown[];
  /** Loads the values of rows. Keeps the known values if this fails. */
  load(context: Context, rows: readonly unknown[]): Promise<void>;
}

export function createDeferredLoader(entity: Pick<AnyEntity, 'id' | 'deferredValues'>): DeferredLoader {
  const { deferredValues } = entity;
  const knownValues = new Map<string, unknown>();
  const withValues = (item: unknown, { add }: DeferredValues<unknown>): unknown => {
    const id = entity.id(item);
    return knownValues.has(id) ? add(item, knownValues.get(id)) : item;
  };
  let needed = false;
  return {
    isNeeded: () => needed,
    setNeeded(isNeeded) {
      needed = isNeeded;
    },
    addKnown: (rows) => (deferredValues ? rows.map((row) => withValues(row, deferredValues)) : rows),
    async load(context, rows) {
      if (!deferredValues || rows.length === 0) return;
      try {
        const values = await deferredValues.load(context, rows);
        for (const row of rows) {
          const id = entity.id(row);
          knownValues.delete(id);
          knownValues.set(id, values.get(id));
        }
      } catch (error) {
        report(error);
      }
      for (const id of knownValues.keys()) {
        if (knownValues.size <= MAX_ITEMS) break;
        knownValues.delete(id);
      }
    },
  };
}
