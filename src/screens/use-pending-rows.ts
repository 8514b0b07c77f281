import { useEffect } from 'react';

import type { AnyEntity } from '#commands/model/entity.ts';
import { announceChange } from '#src/data/changes.ts';
import { contextNow } from '#src/run/context.ts';

/** How often rows in progress are reloaded, in ms. */
const INTERVAL_MS = 3000;

/** Reloads the rows of items in progress (`Entity.isPending`), which no event announces, while the page is visible. */
export function usePendingRows(
  entity: AnyEntity,
  source: { findRows(matches: (row: unknown) => boolean): readonly unknown[] },
): void {
  useEffect(() => {
    const { isPending } = entity;
    if (!isPending) return undefined;
    const reload = (): void => {
      const ids = document.hidden ? [] : source.findRows(isPending).map((row) => entity.id(row));
      if (ids.length > 0) announceChange(contextNow().organization.id, [entity.name], ids);
    };
    const timer = setInterval(reload, INTERVAL_MS);
    return () => clearInterval(timer);
  }, [entity, source]);
}
