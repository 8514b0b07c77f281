import type { Visit } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';

import type { OrganizationNames } from '#commands/kit/organization-names.ts';

/** A support session, with what the organizations of the list are called. */
export interface VisitItem {
  readonly visit: Visit;
  readonly organizations: OrganizationNames;
}
