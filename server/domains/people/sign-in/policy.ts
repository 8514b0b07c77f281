import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const sessionPolicy = rpcs(SessionService, {
  // The service checks the permissions for another member's sign-ins, and for revoking the caller's own sign-ins.
  list: { ...read(), audience: 'caller-in-organization', user: ['READ'], ownUnless: 'userId' },
  revoke: { ...change(), audience: 'caller-in-organization', ownUnless: 'userId' },
  members: read('USERS'),
});
