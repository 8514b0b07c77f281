import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const sessionPolicy = rpcs(SessionService, {
  // A person's own sign-ins only require being signed in; for those of a member, the service checks the permission.
  list: { ...read(), audience: 'caller-in-organization', user: ['READ'], ownUnless: 'userId' },
  revoke: { ...change(), audience: 'caller-in-organization', ownUnless: 'userId' },
  members: read('USERS'),
});
