import type { Visit } from '#proto/quarterdeck/support/v1/support_service_pb';

import type { OrganizationNames } from '../core/organization-names.ts';

/** A support session, with what the organizations of the list are called. */
export interface VisitItem {
  readonly visit: Visit;
  readonly organizations: OrganizationNames;
}
