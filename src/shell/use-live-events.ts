import { useEffect } from 'react';

import { registry } from '#commands/nouns/all.ts';

import { everythingOf } from '#src/data/affected.ts';
import { changed } from '#src/data/changes.ts';
import { gather } from '#src/data/gather.ts';
import type { Acting } from '#src/state/acting.ts';
import { firstScreen } from '#src/state/first-screen.ts';

/** Keeps what is on the screen true: an event makes the entities that it changes be asked for again. */
export function useLiveEvents(acting: Acting | undefined): void {
  const user = acting?.actor.id;
  const organization = acting?.organization.id;
  useEffect(() => {
    if (!user || !organization) return;
    const gathered = gather(organization, registry.entities);
    const names = everythingOf(registry.entities);
    const missed = (): void => changed(organization, names);
    let left = false;
    let stop = (): void => undefined;
    const start = async (): Promise<void> => {
      await firstScreen;
      // The messages of all events weigh as much as all others together, and the first rows do without.
      const { listen } = await import('#src/data/live.ts');
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
