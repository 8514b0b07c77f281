import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const organizationPolicy = rpcs(OrganizationService, {
  get: read(),
  tree: read(),
  listChildOrganizations: read(),
  // The request can name several organizations. The service leaves out those that the caller can't access.
  getAvatar: { ...read(), audience: 'caller' },
  // Requires ORGANIZATION_CREATE in the parent, or the user permission UPDATE and a creation token, but no membership.
  create: { ...change(), audience: 'caller-in-organization', organizationIn: ['parent_organization'] },
  validateCreationToken: { ...read(), audience: 'caller', user: ['UPDATE'] },
  update: change('ORGANIZATION_UPDATE'),
  delete: { ...change('ORGANIZATION_DELETE'), organizationIn: ['parent_organization'] },
});
