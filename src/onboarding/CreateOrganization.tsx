import { createLazyRoute } from '@tanstack/react-router';

import { InlineForm } from '#src/form/InlineForm.tsx';
import { AreaFooter, AreaHeading } from './AreaHeading.tsx';
import { useMembership } from './use-membership.ts';

/** With a token from support, which is typed or pasted here and never stands in an address (spec 2). */
function CreateOrganization() {
  useMembership();
  return (
    <>
      <AreaHeading screen="create" />
      <InlineForm command="organization.create-with-token" folds autoFocus />
      <AreaFooter screen="create" />
    </>
  );
}

export const lazyCreateOrganization = createLazyRoute('/organization/create')({ component: CreateOrganization });
