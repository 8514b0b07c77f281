import { and, ilike, or, type SQL } from 'drizzle-orm';

import type { OrganizationSelection } from '#proto/gen/hiber/organization_pb.ts';
import { anyOf, noneOf } from '#server/db/any-of.ts';
import { organization } from '#server/db/schema/organization.ts';
import { substringPattern } from '#server/wire/text.ts';

/** Matches if the slug or display name contains the text, ignoring case (contract: AccessibleOrganizations). */
export function matchesOrganization(search: string): SQL | undefined {
  const text = search.trim();
  if (text === '') return undefined;
  return or(ilike(organization.id, substringPattern(text)), ilike(organization.displayName, substringPattern(text)));
}

/**
 * Returns a condition on organizations. `exclude` takes precedence over `include`, and an empty selection matches
 * everything (contract: Filter).
 */
export function selectedOrganizations(selection: OrganizationSelection | undefined): SQL | undefined {
  const { include = [], exclude = [] } = selection?.organizations ?? {};
  return and(
    matchesOrganization(selection?.search ?? ''),
    include.length === 0 ? undefined : anyOf(organization.id, include),
    exclude.length === 0 ? undefined : noneOf(organization.id, exclude),
  );
}
