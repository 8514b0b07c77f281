import { createLazyRoute } from '@tanstack/react-router';

import { AreaFooter, AreaHeading } from './AreaHeading.tsx';
import { PendingInvites } from './PendingInvites.tsx';
import { useMembership } from './use-membership.ts';

function Invites() {
  useMembership();
  return (
    <>
      <AreaHeading screen="invites" />
      <PendingInvites />
      <AreaFooter screen="invites" />
    </>
  );
}

export const lazyInvites = createLazyRoute('/organization/invites')({ component: Invites });
