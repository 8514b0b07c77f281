import type { AccessibleOrganizationsRequest_AccessibleOrganization as Accessible } from '#proto/gen/hiber/current_user_pb.ts';
import type { Organization } from '#proto/gen/hiber/organization_pb.ts';

/** An accessible organization, with its details if they were loaded. */
export interface OrganizationItem {
  readonly accessible: Accessible;
  readonly details?: Organization;
}

export const nameOf = ({ accessible }: OrganizationItem): string => accessible.displayName || accessible.organization;

export interface OrganizationSelection {
  search?: string;
  /** True to list all accessible organizations instead of the sub-organizations of the current one. */
  accessible?: boolean;
  memberOnly?: boolean;
  defaultOnly?: boolean;
}
