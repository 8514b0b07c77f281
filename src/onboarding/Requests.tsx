import { createLazyRoute } from '@tanstack/react-router';

import { InlineForm } from '#src/form/InlineForm.tsx';
import { useText } from '#src/i18n/i18n.ts';

import { AreaFooter, AreaHeading } from './AreaHeading.tsx';
import { PendingInvites } from './PendingInvites.tsx';
import { PendingRequests } from './PendingRequests.tsx';

/** The start screen for users without an organization. They can request access to one or accept an invitation. */
function Requests() {
  const t = useText('onboarding');
  return (
    <>
      <AreaHeading screen="requests" />
      <InlineForm command="me.request-access" autoFocus />
      <PendingRequests />
      <section aria-label={t('invites.title')} className="mt-6 grid gap-2">
        <h2 className="font-semibold">{t('invites.title')}</h2>
        <PendingInvites />
      </section>
      <AreaFooter screen="requests" />
    </>
  );
}

export const lazyRequests = createLazyRoute('/organization/requests')({ component: Requests });
