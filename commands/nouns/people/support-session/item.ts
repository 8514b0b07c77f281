import type { OrganizationNames } from '#commands/kit/organization-names.ts';
import type { SupportSession } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';

/** A support session, with the names of the organizations in the list. */
export interface SupportSessionItem {
  readonly session: SupportSession;
  readonly organizations: OrganizationNames;
}
