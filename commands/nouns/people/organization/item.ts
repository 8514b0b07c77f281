import type { AccessibleOrganizationsRequest_AccessibleOrganization as Accessible } from '#proto/gen/hiber/current_user_pb.ts';
import type { Organization } from '#proto/gen/hiber/organization_pb.ts';

/** An organization that the person may act for; its data as far as it was asked for. */
export interface OrganizationItem {
  readonly accessible: Accessible;
  readonly details?: Organization;
}

export const nameOf = ({ accessible }: OrganizationItem): string => accessible.displayName || accessible.organization;

export interface OrganizationSelection {
  search?: string;
  /** Everything that one can act for; without it, what is below the organization one acts for. */
  accessible?: boolean;
  memberOnly?: boolean;
  defaultOnly?: boolean;
}
