import { QueryClientProvider } from '@tanstack/react-query';
import { createLazyRoute, useParams } from '@tanstack/react-router';

import { sessionAtom } from '../auth/session.ts';
import { loadActing } from '../data/acting.ts';
import { queryClient } from '../data/query-client.ts';
import { startHost } from '../host/host.ts';
import { startKeys } from '../keys/start.ts';
import { loadPanel } from '../panel/Panel.tsx';
import { AppLayout } from '../shell/AppLayout.tsx';
import { actingAtom } from '../state/acting.ts';
import { firstScreen } from '../state/first-screen.ts';
import { store } from '../state/store.ts';
import { EntityScreen } from './EntityScreen.tsx';
import { followMe } from './follow-me.ts';
import { enterOrganization } from './organization.ts';
import { entityAt, homePath } from './paths.ts';

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
  return entityAt(path) !== undefined;
}

export const lazyApp = createLazyRoute('/app')({
  component: () => (
    <QueryClientProvider client={queryClient}>
      <AppLayout />
    </QueryClientProvider>
  ),
});

function Screen() {
  const { _splat = '' } = useParams({ from: '/app/$' });
  const entity = entityAt(`/${_splat}`);
  return entity ? <EntityScreen key={entity.name} entity={entity} /> : null;
}

export const lazyScreen = createLazyRoute('/app/$')({ component: Screen });
