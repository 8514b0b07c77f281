import { QueryClientProvider } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';

import { queryClient } from '#src/data/query-client.ts';
import { Overlays } from '#src/shell/Overlays.tsx';
import { ToastLane } from '#src/shell/ToastContainers.tsx';
import { ToastList } from '#src/shell/ToastList.tsx';
import { LoginLayout } from '#src/sign-in/frame/LoginLayout.tsx';
import { userSessionAtom } from '#src/state/user-session.ts';

import './strings.ts';

/**
 * The area for joining an organization. Users who have no organization can open it too (spec 2). It has the layout of
 * the sign-in screens and the registry's commands, keys, and palette. Commands need the current user, so the guard
 * loads the user before opening this area.
 */
function OrganizationArea() {
  const session = useAtomValue(userSessionAtom);
  return (
    <QueryClientProvider client={queryClient}>
      {session && <LoginLayout />}
      <div className="fixed inset-x-0 bottom-0 z-10">
        <ToastLane />
      </div>
      <Overlays />
      <ToastList />
    </QueryClientProvider>
  );
}

export const lazyOrganizationArea = createLazyRoute('/organization')({ component: OrganizationArea });
