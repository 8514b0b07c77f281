import { QueryClientProvider } from '@tanstack/react-query';
import { createLazyRoute, useParams } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { useEffect, useLayoutEffect, type ComponentProps } from 'react';

import type { AnyEntity, EntityMetadata } from '#commands/model/entity.ts';
import type { Destination } from '#commands/registry/destinations.ts';
import { permissionMessage } from '#commands/run/availability.ts';
import { message, type Message } from '#commands/text/message.ts';
import { destinationAt, itemScreenAt, screenAt, type ItemScreenAddress } from '#src/address/paths.ts';
import { useIsCurrent } from '#src/address/use-is-current.ts';
import { currentUserId, sessionAtom } from '#src/auth/session.ts';
import { queryClient } from '#src/data/query-client.ts';
import { loadFilterLine } from '#src/filter/FilterLine.tsx';
import { consoleStrings } from '#src/i18n/console-strings.ts';
import { addStrings, loadAllStrings } from '#src/i18n/i18n.ts';
import { startKeys } from '#src/keys/start.ts';
import { trackOffline } from '#src/net/offline.ts';
import { onReconnect } from '#src/net/reach.ts';
import { loadPanel } from '#src/panel/Panel.tsx';
import { registry } from '#src/registry/registry.ts';
import { loadAllCommands } from '#src/run/invoke.ts';
import { PartError } from '#src/run/PartError.tsx';
import { replay } from '#src/run/replay.ts';
import { EntityScreen } from '#src/screens/EntityScreen.tsx';
import { Forbidden } from '#src/screens/Forbidden.tsx';
import { hardLoad } from '#src/screens/hard-load.ts';
import { NotFound } from '#src/screens/NotFound.tsx';
import type { PageScreenProps } from '#src/screens/PageScreen.tsx';
import { PanelLayout } from '#src/screens/PanelLayout.tsx';
import { useRunLink } from '#src/screens/use-run-link.ts';
import { followMe } from '#src/session/follow-me.ts';
import { enterOrganization, forgetUser } from '#src/session/organization.ts';
import { AppLayout } from '#src/shell/AppLayout.tsx';
import { TabStrips } from '#src/shell/TabStrips.tsx';
import { isOfflineAtom } from '#src/state/connection.ts';
import { takeEarlyKeys } from '#src/state/early-keys.ts';
import { firstScreen } from '#src/state/first-screen.ts';
import { onScreenShown, onRowsShown, expectScreen, runOrEnqueue } from '#src/state/key-queue.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom, type UserSession } from '#src/state/user-session.ts';
import { lazyPart } from '#src/ui/lazy-part.tsx';

import { holdKeysForHistory } from './history-keys.ts';
import { startHost } from './host.ts';
import { router } from './navigation.ts';

// Everything behind sign-in: the registry's metadata, the modules that read it, and the layout of the screens. Loading
// this module starts the console. It loads when a screen needs it, and at the latest after the first screen.

addStrings(consoleStrings);
startHost();
startKeys();
holdKeysForHistory(router());
followMe();
trackOffline((isOffline) => store.set(isOfflineAtom, isOffline));
// Retries failed loads as soon as the server is reachable again.
onReconnect(() => void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' }));
// Ignores failures, because code that needs a missing part loads it again and reports the error.
void firstScreen.then(() => Promise.allSettled([loadAllCommands(), loadPanel(), loadFilterLine()]));

// Clears everything when the user signs out, or signs in as someone else, here or in another tab.
let userId = currentUserId();
store.sub(sessionAtom, () => {
  const previousId = userId;
  userId = currentUserId();
  if (userId === previousId) return;
  enterOrganization(undefined);
  forgetUser();
});

function App() {
  // The first screen is also pending, so early keystrokes wait for it.
  useLayoutEffect(() => {
    expectScreen();
    for (const event of takeEarlyKeys()) runOrEnqueue(() => replay(event));
  }, []);
  return (
    <QueryClientProvider client={queryClient}>
      <AppLayout />
    </QueryClientProvider>
  );
}

export const lazyApp = createLazyRoute('/app')({ component: App });

/**
 * Loaded separately, because it includes forms for all nouns' commands, and a first screen with a table doesn't
 * need them.
 */
const PageScreen = lazyPart<PageScreenProps>(
  async () => {
    const [{ PageScreen }] = await Promise.all([
      import('#src/screens/PageScreen.tsx'),
      loadAllCommands(),
      loadAllStrings(),
    ]);
    return PageScreen;
  },
  { Failed: PageError },
);

/** Loaded separately because most people start with a list. */
const ItemScreen = lazyPart<ItemScreenAddress>(async () => (await import('#src/screens/ItemScreen.tsx')).ItemScreen, {
  Failed: PageError,
});

function PageError(props: ComponentProps<typeof PartError>) {
  useEffect(() => void hardLoad(window.location.href), []);
  return <PartError {...props} />;
}

function Screen() {
  const { _splat = '' } = useParams({ from: '/app/$' });
  const path = `/${_splat}`;
  const session = useAtomValue(userSessionAtom);
  const destination = destinationAt(path);
  const isCurrent = useIsCurrent();
  const target = destination ?? (session && screenAt(path, session)?.destination);
  const reason = target && session ? denialReason(target, session) : undefined;
  const itemScreen = itemScreenAt(path);
  const isList = target !== undefined && reason === undefined && 'entity' in target.shows && !itemScreen;
  // Run after the screen's own effects. A list reports itself once its rows have arrived.
  useEffect(() => {
    if (!session || !isCurrent()) return;
    if (isList) onScreenShown();
    else onRowsShown();
  }, [session, isList, isCurrent]);
  useRunLink(itemScreen !== undefined || (destination !== undefined && 'entity' in destination.shows));
  if (!session) return null;
  if (!target || reason)
    return <PanelLayout>{reason ? <Forbidden reason={reason} /> : <NotFound path={path} />}</PanelLayout>;
  if (itemScreen) return <ItemScreen key={path} {...itemScreen} />;
  // The path is an alias, and a redirect to the screen's own path is pending.
  if (!destination) return null;
  const { shows } = destination;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <TabStrips destination={destination} />
      <div className="min-h-0 flex-1">
        {'entity' in shows ? (
          <EntityScreen key={shows.entity.name} entity={createDeclaration(shows.entity)} />
        ) : (
          <PageScreen key={path} metadata={shows.page} />
        )}
      </div>
    </div>
  );
}

/**
 * Returns the declaration of an entity.
 *
 * @throws Error if it hasn't loaded, which is a programming error, because the guard loads everything a screen shows.
 */
function createDeclaration({ name }: EntityMetadata): AnyEntity {
  const entity = registry().entity(name);
  if (!entity) throw new Error(`The declaration of "${name}" has not loaded.`);
  return entity;
}

/** Returns the reason why the user may not open a screen. Undefined if they may. */
function denialReason({ requires, features }: Destination, { actor, organization }: UserSession): Message | undefined {
  const feature = features.find((value) => !organization.features.has(value));
  if (feature !== undefined) return message('core:unavailable.feature', { feature });
  return requires && !actor.abilities.has(requires) ? permissionMessage(requires) : undefined;
}

export const lazyScreen = createLazyRoute('/app/$')({ component: Screen });
