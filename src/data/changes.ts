import { forgetEntity, forgetItems, forgetReference } from './query-client.ts';

/** The lists of an entity become stale or, with `ids`, only the rows of these items. */
export interface Change {
  readonly entity: string;
  readonly ids?: readonly string[];
}

type Listener = (change: Change) => void;

const listeners = new Set<Listener>();

export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Notifies every visible list that items of the given entities were changed, by our own command or by an event. With
 * `ids`, only those rows are reloaded, in the same order. Counts over all items follow within {@link COUNTS_MS}.
 */
export function announceChange(organization: string, entities: readonly string[], ids?: readonly string[]): void {
  for (const entity of entities) {
    if (ids) {
      forgetItems(organization, entity, ids);
      scheduleCounts(organization, entity);
    } else forgetEntity(organization, entity);
    for (const listener of listeners) listener(ids ? { entity, ids } : { entity });
  }
}

/** The delay before our own change is announced. The server sends an event for it too, and one refresh covers both. */
const OWN_CHANGE_DELAY_MS = 80;

/**
 * Notifies every visible list of changes by our own command. Refreshes reference data immediately, because the next
 * command can need it.
 */
export function announceOwnChange(organization: string, entities: readonly string[]): void {
  for (const entity of entities) forgetReference(organization, entity);
  if (entities.length > 0) setTimeout(() => announceChange(organization, entities), OWN_CHANGE_DELAY_MS);
}

/** The minimum time between two reloads of counts. Devices report all the time. */
const COUNTS_MS = 10_000;
const scheduledCounts = new Set<string>();

function scheduleCounts(organization: string, entity: string): void {
  const key = `${organization} ${entity}`;
  if (scheduledCounts.has(key)) return;
  scheduledCounts.add(key);
  setTimeout(() => {
    scheduledCounts.delete(key);
    forgetEntity(organization, entity);
  }, COUNTS_MS);
}
