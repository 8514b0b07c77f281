import { forgetReference } from './query-client.ts';

/** Who shows lists of an entity and wants to know when they are out of date. */
type Listener = (change: { readonly entity: string; readonly ids?: readonly string[] }) => void;

const listeners = new Set<Listener>();

export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Tells every shown list that items of these entities changed: by a command of ours, or by an event. With `ids`, only those rows are asked
 * for again and the order on the screen stays.
 */
export function changed(organization: string, entities: readonly string[], ids?: readonly string[]): void {
  for (const entity of entities) {
    forgetReference(organization, entity);
    for (const listener of listeners) listener(ids ? { entity, ids } : { entity });
  }
}
