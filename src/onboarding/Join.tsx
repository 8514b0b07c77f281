import { createLazyRoute } from '@tanstack/react-router';

import { InlineForm } from '#src/form/InlineForm.tsx';

import { AreaFooter, AreaHeading } from './AreaHeading.tsx';
import { PendingRequests } from './PendingRequests.tsx';

function Join() {
  return (
    <>
      <AreaHeading screen="join" />
      <InlineForm command="me.request-access" autoFocus />
      <PendingRequests />
      <AreaFooter screen="join" />
    </>
  );
}

export const lazyJoin = createLazyRoute('/organization/join')({ component: Join });
