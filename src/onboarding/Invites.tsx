import { createLazyRoute } from '@tanstack/react-router';

import { useText } from '#src/i18n/i18n.ts';
import { useFocusOnMount } from '#src/ui/use-focus-on-mount.ts';

import { AreaFooter, AreaHeading } from './AreaHeading.tsx';
import { PendingInvites } from './PendingInvites.tsx';
import { useMembership } from './use-membership.ts';

function Invites() {
  const t = useText('onboarding');
  const ref = useFocusOnMount();
  useMembership();
  return (
    <section ref={ref} tabIndex={-1} aria-label={t('invites.title')} className="outline-none">
      <AreaHeading screen="invites" />
      <PendingInvites />
      <AreaFooter screen="invites" />
    </section>
  );
}

export const lazyInvites = createLazyRoute('/organization/invites')({ component: Invites });
