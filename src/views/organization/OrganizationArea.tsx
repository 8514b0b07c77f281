import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';

import { failureOf } from '#commands/core/errors';

import { queryClient } from '../../data/query-client.ts';
import { useSay, useText } from '../../i18n.ts';
import { enter } from '../../routes/app.tsx';
import { Overlays } from '../../shell/Overlays.tsx';
import { actingAtom } from '../../state/acting.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { LoginLayout } from '../login/LoginLayout.tsx';

/**
 * The area for somebody who joins an organization, also without any yet (spec 2): the frame of the sign-in screens, with the registry's commands, keys and
 * palette behind it.
 */
function OrganizationArea() {
  return (
    <QueryClientProvider client={queryClient}>
      <Entered />
      <Overlays />
    </QueryClientProvider>
  );
}

/** Commands act for somebody: who that is has to be known first. */
function Entered() {
  const say = useSay();
  const text = useText();
  const acting = useAtomValue(actingAtom);
  const entering = useQuery({
    queryKey: ['entering'],
    queryFn: async () => {
      await enter(undefined);
      return true;
    },
    enabled: !acting,
    gcTime: 0,
    staleTime: 0,
  });
  if (acting) return <LoginLayout />;
  if (entering.error) {
    return (
      <ErrorState
        title={text('screen.failed')}
        message={say(failureOf(entering.error).message)}
        retry={{ label: text('screen.retry'), run: () => void entering.refetch() }}
      />
    );
  }
  return <SkeletonRows count={3} label={text('organization.loading')} />;
}

export const lazyOrganizationArea = createLazyRoute('/organization')({ component: OrganizationArea });
