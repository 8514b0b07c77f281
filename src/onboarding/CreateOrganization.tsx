import { createLazyRoute } from '@tanstack/react-router';

import { InlineForm } from '#src/form/InlineForm.tsx';

import { AreaFooter, AreaHeading } from './AreaHeading.tsx';
import { useMembership } from './use-membership.ts';

/** Creates an organization with a token from support, which is typed here and never appears in a URL (spec 2). */
function CreateOrganization() {
  useMembership();
  return (
    <>
      <AreaHeading screen="create" />
      <InlineForm command="organization.create-with-token" foldOptional autoFocus />
      <AreaFooter screen="create" />
    </>
  );
}

export const lazyCreateOrganization = createLazyRoute('/organization/create')({ component: CreateOrganization });
