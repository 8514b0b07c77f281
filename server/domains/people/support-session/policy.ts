import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { own, rpcs } from '#server/policies/rpcs.ts';

export const supportPolicy = rpcs(SupportService, {
  beginSupportSession: { ...own(), audience: 'organization', support: ['CUSTOMER_SUPPORT'] },
  allowChanges: { ...own(), audience: 'organization', support: ['CUSTOMER_SUPPORT'] },
  endSupportSession: { ...own(), audience: 'organization', support: ['CUSTOMER_SUPPORT'] },
  listSupportSessions: { ...own(), audience: 'organization', organization: ['USERS_MANAGE'] },
  listCalls: { ...own(), audience: 'organization', organization: ['USERS_MANAGE'] },
  issueCreationToken: { ...own(), support: ['CUSTOMER_SUPPORT'] },
});
