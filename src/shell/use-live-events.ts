import { useEffect } from 'react';

import { registry } from '#commands/all';
import type { Event } from '#proto/hiber/event_pb';

import { affectedBy, everythingOf } from '../data/affected.ts';
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
    const names = everythingOf(registry.entities);
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
    // Whole lists first: reference data is among them, which the items of others are read again with.
    const parts = [...waiting].toSorted(([, a], [, b]) => Number(a !== undefined) - Number(b !== undefined));
    for (const [entity, ids] of parts) changed(organization, [entity], ids && [...ids]);
    waiting = new Map();
  };

  return {
    add(event: Event): void {
      for (const { name, id } of affectedBy(event, registry.entities)) {
        const ids = waiting.has(name) ? waiting.get(name) : new Set<string>();
        waiting.set(name, id === undefined ? undefined : ids?.add(id));
      }
      if (waiting.size > 0) timer ??= setTimeout(flush, GATHER_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
