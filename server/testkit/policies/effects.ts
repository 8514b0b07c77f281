import type { DescMethod } from '@bufbuild/protobuf';

import { policyOf } from '#server/http/rpc/policy-of.ts';
import { effectOf } from '#server/policies/rpcs.ts';

/** Rpcs with a declared effect on the caller that change nothing. */
const READS_CALLER: ReadonlySet<string> = new Set([
  'CurrentUserService.currentUser',
  'CurrentUserService.accessibleOrganizations',
  'CurrentUserService.listOrganizationInvites',
  'SupportService.listSupportSessions',
  'SupportService.listCalls',
  // Changes something only if the request contains changes.
  'UnitPreferencesService.unitPreferences',
]);

/** True for an rpc that can change something, in an organization or for its caller. */
export const isChange = (method: DescMethod): boolean =>
  effectOf(policyOf(method), method) !== 'read' && !READS_CALLER.has(`${method.parent.name}.${method.localName}`);
