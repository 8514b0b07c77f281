import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const organizationPolicy = rpcs(OrganizationService, {
  get: read(),
  tree: read(),
  listChildOrganizations: read(),
  // No organization in the request: the slugs are the scope, and those that are not accessible are left out.
  getAvatar: { ...read(), audience: 'caller' },
  // ORGANIZATION_CREATE under a parent, or user UPDATE with a creation token, which works without any organization.
  create: { ...change(), audience: 'caller-in-organization', organizationIn: ['parent_organization'] },
  validateCreationToken: { ...read(), audience: 'caller', user: ['UPDATE'] },
  update: change('ORGANIZATION_UPDATE'),
  delete: { ...change('ORGANIZATION_DELETE'), organizationIn: ['parent_organization'] },
});
