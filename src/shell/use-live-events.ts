import { useEffect } from 'react';

import { registry } from '#commands/all';
import type { Event } from '#proto/hiber/event_pb';
import { EventType } from '#proto/hiber/event_type_pb';

import { changed } from '../data/changes.ts';
import type { Acting } from '../state/acting.ts';
import { firstScreen } from '../state/first-screen.ts';

/** Events that come within this long are answered with one refresh: a fleet says many things at once. */
const GATHER_MS = 1000;

/** Keeps what is on the screen true: an event makes the entities that it changes be asked for again. */
export function useLiveEvents(acting: Acting | undefined): void {
  const user = acting?.actor.id;
  const organization = acting?.organization.id;
  useEffect(() => {
    if (!user || !organization) return;
    const gathered = gather(organization);
    const names = registry.entities.map((entity) => entity.name);
    const missed = (): void => changed(organization, names);
    let left = false;
    let stop = (): void => undefined;
    const start = async (): Promise<void> => {
      await firstScreen;
      // The messages of all events weigh as much as all others together, and the first rows do without.
      const { listen } = await import('../data/live.ts');
      if (!left) stop = listen(user, organization, gathered.add, missed);
    };
    void start();
    return () => {
      left = true;
      stop();
      gathered.stop();
    };
  }, [user, organization]);
}

function gather(organization: string) {
  /** Entity name to the items that changed, or `undefined` for its whole list. */
  let waiting = new Map<string, Set<string> | undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = (): void => {
    timer = undefined;
    for (const [entity, ids] of waiting) changed(organization, [entity], ids && [...ids]);
    waiting = new Map();
  };

  return {
    add(event: Event): void {
      const type = TYPE_NAMES.get(event.type);
      for (const entity of registry.entities) {
        if (!type || !entity.changedBy?.includes(type)) continue;
        const id = entity.changedItem?.(event);
        const ids = waiting.has(entity.name) ? waiting.get(entity.name) : new Set<string>();
        waiting.set(entity.name, id === undefined ? undefined : ids?.add(id));
      }
      if (waiting.size > 0) timer ??= setTimeout(flush, GATHER_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

const TYPE_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(EventType).map(([name, value]) => [value, name]),
);
