import { QueryClientProvider } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';

import { queryClient } from '#src/data/query-client.ts';
import { Overlays } from '#src/shell/Overlays.tsx';
import { ToastLane } from '#src/shell/ToastPlaces.tsx';
import { actingAtom } from '#src/state/acting.ts';
import { LoginLayout } from '#src/sign-in/frame/LoginLayout.tsx';

/**
 * The area for somebody who joins an organization, also without any yet (spec 2): the frame of the sign-in screens,
 * with the registry's commands, keys and palette behind it. Commands act for somebody: the guard has found out who
 * before it lets anybody in here.
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
