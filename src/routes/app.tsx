import { QueryClientProvider } from '@tanstack/react-query';
import { createLazyRoute, Navigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';

import { sessionAtom } from '../auth/session.ts';
import { loadActing } from '../data/acting.ts';
import { queryClient } from '../data/query-client.ts';
import { startHost } from '../host/host.ts';
import { startKeys } from '../keys/start.ts';
import { loadPanel } from '../panel/Panel.tsx';
import { AppLayout } from '../shell/AppLayout.tsx';
import { TabStrips } from '../shell/TabStrips.tsx';
import { actingAtom } from '../state/acting.ts';
import { firstScreen } from '../state/first-screen.ts';
import { store } from '../state/store.ts';
import { EntityScreen } from './EntityScreen.tsx';
import { followMe } from './follow-me.ts';
import { enterOrganization } from './organization.ts';
import { destinationAt, homePath, screenPath } from './paths.ts';

// Everything behind sign-in: the registry, what reads it, and the frame of its screens. `router.tsx` loads this module once and late; it
// begins here.

startHost();
startKeys();
followMe();
void firstScreen.then(loadPanel);

/** Signing out, here or in another tab, leaves nothing behind. */
store.sub(sessionAtom, () => {
  if (store.get(sessionAtom).status !== 'signed-out') return;
  enterOrganization(undefined);
  queryClient.clear();
});

/** Acts for the organization that the address names, or for the person's own. */
export async function enter(requested: string | undefined): Promise<void> {
  enterOrganization(await loadActing(requested));
}

/** The path of the screen that this person starts on. */
export function home(): string {
  return homePath(store.get(actingAtom)?.preferences);
}

/** Whether there is a screen at this path. */
export function isScreen(path: string): boolean {
  return screenPath(path) !== undefined;
}

export const lazyApp = createLazyRoute('/app')({
  component: () => (
    <QueryClientProvider client={queryClient}>
      <AppLayout />
    </QueryClientProvider>
  ),
});

/** Not needed for a table's first rows: it brings the forms. */
const PageScreen = lazy(async () => ({ default: (await import('./PageScreen.tsx')).PageScreen }));

function Screen() {
  const { _splat = '' } = useParams({ from: '/app/$' });
  const path = `/${_splat}`;
  const to = screenPath(path);
  const destination = to === path ? destinationAt(path) : undefined;
  if (!destination) return to ? <Navigate to={to} search={(previous) => previous} replace /> : null;
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

export const lazyScreen = createLazyRoute('/app/$')({ component: Screen });
