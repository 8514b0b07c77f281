import { useEffect } from 'react';

import { allAffected } from '#src/data/affected.ts';
import { batchEvents } from '#src/data/batch-events.ts';
import { announceChange } from '#src/data/changes.ts';
import { report } from '#src/net/report.ts';
import { directory } from '#src/registry/registry.ts';
import { ME } from '#src/session/follow-me.ts';
import { firstScreen } from '#src/state/first-screen.ts';
import type { UserSession } from '#src/state/user-session.ts';
import { listFailedPart } from '#src/ui/lazy-part.tsx';

/** Keeps the screen up to date: an event reloads the entities it affects. */
export function useLiveEvents(session: UserSession | undefined): void {
  const user = session?.actor.id;
  const organization = session?.organization.id;
  useEffect(() => {
    if (!user || !organization) return;
    const events = batchEvents(organization, () => directory().entities);
    // Reloads the person too: when their rights change, the server ends the stream, and the client reopens it.
    const names = [...allAffected(directory().entities), ME];
    const reloadAll = (): void => announceChange(organization, names);
    let unmounted = false;
    let stop = (): void => undefined;
    const start = async (): Promise<void> => {
      await firstScreen;
      // The code for event messages is as large as that for all other messages together, and the first screen does not
      // need it.
      const { listenForEvents } = await import('#src/data/live.ts');
      if (!unmounted) stop = listenForEvents(user, organization, events.add, reloadAll);
    };
    const startOrList = (): void => {
      stop();
      start().catch((error: unknown) => {
        report(error);
        if (!unmounted) stop = listFailedPart(startOrList);
      });
    };
    startOrList();
    return () => {
      unmounted = true;
      stop();
      events.stop();
    };
  }, [user, organization]);
}
