import { useEffect } from 'react';

import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { allAffected } from '#src/data/affected.ts';
import { batchEvents } from '#src/data/batch-events.ts';
import { announceChange } from '#src/data/changes.ts';
import { report } from '#src/net/report.ts';
import { directory } from '#src/registry/registry.ts';
import { ME } from '#src/session/follow-me.ts';
import { firstScreen } from '#src/state/first-screen.ts';
import type { UserSession } from '#src/state/user-session.ts';
import { registerFailedPart } from '#src/ui/lazy-part.tsx';

/** Keeps the screen up to date by reloading the entities that an event affects. */
export function useLiveEvents(session: UserSession | undefined): void {
  const user = session?.actor.id;
  const organization = session?.organization.id;
  useEffect(() => {
    if (!user || !organization) return;
    const events = batchEvents(organization, () => directory().entities);
    // Also reload the user: when their permissions change, the server ends the stream, and reconnecting reloads
    // everything.
    const names = [...allAffected(directory().entities), ME];
    const reloadAll = (): void => announceChange(organization, names);
    let isUnmounted = false;
    let stop = (): void => undefined;
    const start = async (): Promise<void> => {
      await firstScreen;
      // The protobuf code for events is as large as all other protobuf code, and the first screen doesn't need it.
      const [{ listenForEvents }, { announceExport }] = await Promise.all([
        import('#src/data/live.ts'),
        import('./announce-export.ts'),
      ]);
      const receive = (event: Event): void => {
        events.add(event);
        announceExport(event, user);
      };
      if (!isUnmounted) stop = listenForEvents(user, organization, receive, reloadAll);
    };
    const restart = (): void => {
      stop();
      start().catch((error: unknown) => {
        report(error);
        if (!isUnmounted) stop = registerFailedPart(restart);
      });
    };
    restart();
    return () => {
      isUnmounted = true;
      stop();
      events.stop();
    };
  }, [user, organization]);
}
