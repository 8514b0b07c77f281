import { QueryClientProvider } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';

import { queryClient } from '#src/data/query-client.ts';
import { Overlays } from '#src/shell/Overlays.tsx';
import { ToastLane } from '#src/shell/ToastPlaces.tsx';
import { LoginLayout } from '#src/sign-in/frame/LoginLayout.tsx';
import { actingAtom } from '#src/state/acting.ts';

/**
 * The area for joining an organization, also for people without one (spec 2): in the frame of the sign-in screens, but
 * with the registry's commands, keys and palette. Commands need a person: the guard has loaded them before this is
 * shown.
 */
function OrganizationArea() {
  const acting = useAtomValue(actingAtom);
  return (
    <QueryClientProvider client={queryClient}>
      {acting && <LoginLayout />}
      <div className="fixed inset-x-0 bottom-0 z-10">
        <ToastLane />
      </div>
      <Overlays />
    </QueryClientProvider>
  );
}

export const lazyOrganizationArea = createLazyRoute('/organization')({ component: OrganizationArea });
