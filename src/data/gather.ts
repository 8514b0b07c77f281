import type { AnyEntity } from '#commands/model/entity.ts';
import type { Event } from '#proto/gen/hiber/event_pb.ts';

import { affectedBy } from './affected.ts';
import { changed, onChange } from './changes.ts';

/** Events that come within this long are answered with one refresh: a fleet says many things at once. */
const GATHER_MS = 1000;

/** Gathers events of an organization, and makes what they change be asked for again. */
export function gather(organization: string, entities: readonly AnyEntity[]) {
  /** Entity name to the items that changed, or `undefined` for its whole list. */
  let waiting = new Map<string, Set<string> | undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = (): void => {
    timer = undefined;
    // Whole lists first: reference data is among them, which the items of others are read again with.
    const parts = [...waiting].toSorted(([, a], [, b]) => Number(a !== undefined) - Number(b !== undefined));
    for (const [entity, ids] of parts) changed(organization, [entity], ids && [...ids]);
    waiting = new Map();
  };

  // A list that is asked for again now has what these events tell of.
  const forget = onChange(({ entity, ids }) => {
    if (!ids) waiting.delete(entity);
  });

  return {
    add(event: Event): void {
      for (const { name, id } of affectedBy(event, entities)) {
        const ids = waiting.has(name) ? waiting.get(name) : new Set<string>();
        waiting.set(name, id === undefined ? undefined : ids?.add(id));
      }
      if (waiting.size > 0) timer ??= setTimeout(flush, GATHER_MS);
    },
    stop: () => {
      clearTimeout(timer);
      forget();
    },
  };
}
