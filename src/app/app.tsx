import { QueryClientProvider } from '@tanstack/react-query';
import { createLazyRoute, useParams } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { lazy, Suspense, useEffect, useLayoutEffect } from 'react';

import { lacks } from '#commands/run/availability.ts';
import type { Destination } from '#commands/registry/destinations.ts';
import { message, type Message } from '#commands/text/message.ts';

import { personNow, sessionAtom } from '#src/auth/session.ts';
import { followOffline } from '#src/net/offline.ts';
import { queryClient } from '#src/data/query-client.ts';
import { onReturn } from '#src/net/reach.ts';
import { startHost } from './host.ts';
import { allTexts } from '#src/i18n/i18n.ts';
import { startKeys } from '#src/keys/start.ts';
import { loadPanel } from '#src/panel/Panel.tsx';
import { AppLayout } from '#src/shell/AppLayout.tsx';
import { TabStrips } from '#src/shell/TabStrips.tsx';
import { actingAtom, type Acting } from '#src/state/acting.ts';
import { arrive, arriveWithRows, leave } from '#src/state/arrival.ts';
import { offlineAtom } from '#src/state/connection.ts';
import { firstScreen } from '#src/state/first-screen.ts';
import { store } from '#src/state/store.ts';
import { BesidePanel } from '#src/screens/BesidePanel.tsx';
import { EntityScreen } from '#src/screens/EntityScreen.tsx';
import { followMe } from '#src/acting/follow-me.ts';
import { enterOrganization, forgetPerson } from '#src/acting/organization.ts';
import { Forbidden } from '#src/screens/Forbidden.tsx';
import { NotFound } from '#src/screens/NotFound.tsx';
import { destinationAt, screenAt } from '#src/address/paths.ts';
import { useIsCurrent } from '#src/address/use-is-current.ts';
import { useRunLink } from '#src/screens/use-run-link.ts';

// Everything behind sign-in: the registry, what reads it, and the frame of its screens. `router.tsx` loads this module
// once and late; it begins here.

startHost();
startKeys();
followMe();
followOffline((offline) => store.set(offlineAtom, offline));
// What could not be loaded while the server was away is asked for again as soon as it is back.
onReturn(() => void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' }));
void firstScreen.then(loadPanel);

/** Signing out, or in as somebody else, here or in another tab, leaves nothing behind. */
let person = personNow();
store.sub(sessionAtom, () => {
  const before = person;
  person = personNow();
  if (person === before) return;
  enterOrganization(undefined);
  forgetPerson();
});

function App() {
  // The first screen is on its way as well: keys pressed before it is there are kept for it.
  useLayoutEffect(leave, []);
  return (
    <QueryClientProvider client={queryClient}>
      <AppLayout />
    </QueryClientProvider>
  );
}

export const lazyApp = createLazyRoute('/app')({ component: App });

/** Not needed for a table's first rows: it brings the forms. */
const PageScreen = lazy(async () => {
  const [{ PageScreen }] = await Promise.all([import('#src/screens/PageScreen.tsx'), allTexts()]);
  return { default: PageScreen };
});

function Screen() {
  const { _splat = '' } = useParams({ from: '/app/$' });
  const path = `/${_splat}`;
  const acting = useAtomValue(actingAtom);
  const destination = destinationAt(path);
  const isCurrent = useIsCurrent();
  const meant = destination ?? (acting && screenAt(path, acting)?.destination);
  const reason = meant && acting ? closed(meant, acting) : undefined;
  const isList = meant !== undefined && reason === undefined && 'entity' in meant.shows;
  // After what the screen itself does when it changes. A list says itself when its rows are here.
  useEffect(() => {
    if (!acting || !isCurrent()) return;
    if (isList) arrive();
    else arriveWithRows();
  }, [acting, isList, isCurrent]);
  useRunLink(destination !== undefined && 'entity' in destination.shows);
  if (!acting) return null;
  if (!meant || reason)
    return <BesidePanel>{reason ? <Forbidden reason={reason} /> : <NotFound path={path} />}</BesidePanel>;
  // Another name of a screen, on the way to its own.
  if (!destination) return null;
  const { shows } = destination;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <TabStrips destination={destination} />
      <div className="min-h-0 flex-1">
        {'entity' in shows ? (
          <EntityScreen key={shows.entity.name} entity={shows.entity} />
        ) : (
          <Suspense>
            <PageScreen key={path} page={shows.page} />
          </Suspense>
        )}
      </div>
    </div>
  );
}

/** Why somebody may not open a screen; undefined where they may. */
function closed({ requires, features }: Destination, { actor, organization }: Acting): Message | undefined {
  const feature = features.find((value) => !organization.features.has(value));
  if (feature !== undefined) return message('core:unavailable.feature', { feature });
  return requires && !actor.abilities.has(requires) ? lacks(requires) : undefined;
}

export const lazyScreen = createLazyRoute('/app/$')({ component: Screen });
