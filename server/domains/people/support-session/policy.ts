import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { ownAccount, rpcs } from '#server/policies/rpcs.ts';

export const supportPolicy = rpcs(SupportService, {
  beginSupportSession: { ...ownAccount(), audience: 'organization', support: ['CUSTOMER_SUPPORT'] },
  allowChanges: { ...ownAccount(), audience: 'organization', support: ['CUSTOMER_SUPPORT'] },
  endSupportSession: { ...ownAccount(), audience: 'organization', support: ['CUSTOMER_SUPPORT'] },
  listSupportSessions: { ...ownAccount(), audience: 'organization', organization: ['USERS_MANAGE'] },
  listCalls: { ...ownAccount(), audience: 'organization', organization: ['USERS_MANAGE'] },
  issueCreationToken: { ...ownAccount(), support: ['CUSTOMER_SUPPORT'] },
});
