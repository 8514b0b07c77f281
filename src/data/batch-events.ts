import type { EntityMetadata } from '#commands/model/entity.ts';
import type { Event } from '#proto/gen/hiber/event_pb.ts';

import { affectedBy } from './affected.ts';
import { announceChange, onChange } from './changes.ts';

/** Events within this time share one refresh because a fleet sends many in quick succession. */
const BATCH_MS = 1000;

/** Batches an organization's events into one announcement for each affected entity. */
export function batchEvents(organization: string, entities: () => readonly EntityMetadata[]) {
  /** The ids of changed items by entity name. Undefined stands for the entity's whole list. */
  let pendingChanges = new Map<string, Set<string> | undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = (): void => {
    timer = undefined;
    // Announce whole lists first. They include reference data, which other entities need to reload their items.
    const changes = [...pendingChanges].toSorted(([, a], [, b]) => Number(a !== undefined) - Number(b !== undefined));
    for (const [entity, ids] of changes) announceChange(organization, [entity], ids && [...ids]);
    pendingChanges = new Map();
  };

  // A list that has just been reloaded already includes these events.
  const unsubscribe = onChange(({ entity, ids }) => {
    if (!ids) pendingChanges.delete(entity);
  });

  return {
    add(event: Event): void {
      for (const { name, id } of affectedBy(event, entities())) {
        const ids = pendingChanges.has(name) ? pendingChanges.get(name) : new Set<string>();
        pendingChanges.set(name, id === undefined ? undefined : ids?.add(id));
      }
      if (pendingChanges.size > 0) timer ??= setTimeout(flush, BATCH_MS);
    },
    stop: () => {
      clearTimeout(timer);
      unsubscribe();
    },
  };
}
