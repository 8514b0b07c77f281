import { forgetEntity, forgetItems, forgetReference } from './query-client.ts';

/** Who shows lists of an entity and wants to know when they are out of date. */
type Listener = (change: { readonly entity: string; readonly ids?: readonly string[] }) => void;

const listeners = new Set<Listener>();

export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Tells every shown list that items of these entities changed: by a command of ours, or by an event. With `ids`, only
 * those rows are asked for again and the order on the screen stays; what is counted over all items follows within
 * {@link COUNTS_MS}.
 */
export function changed(organization: string, entities: readonly string[], ids?: readonly string[]): void {
  for (const entity of entities) {
    if (ids) {
      forgetItems(organization, entity, ids);
      countLater(organization, entity);
    } else forgetEntity(organization, entity);
    for (const listener of listeners) listener(ids ? { entity, ids } : { entity });
  }
}

/** The server tells of our own write too, at about the time it answers: both are answered with one refresh. */
const OWN_MS = 80;

/** Tells every shown list what a command of ours changed. The next command knows it at once. */
export function changedByUs(organization: string, entities: readonly string[]): void {
  for (const entity of entities) forgetReference(organization, entity);
  if (entities.length > 0) setTimeout(() => changed(organization, entities), OWN_MS);
}

/** A fleet reports all the time: counts over it are asked for no more often than this. */
const COUNTS_MS = 10_000;
const counting = new Set<string>();

function countLater(organization: string, entity: string): void {
  const key = `${organization} ${entity}`;
  if (counting.has(key)) return;
  counting.add(key);
  setTimeout(() => {
    counting.delete(key);
    forgetEntity(organization, entity);
  }, COUNTS_MS);
}
