import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const sessionPolicy = rpcs(SessionService, {
  // Your own sign-ins require no permission; for those of another member, the service checks the permission.
  list: { ...read(), audience: 'caller-in-organization', user: ['READ'], ownUnless: 'userId' },
  revoke: { ...change(), audience: 'caller-in-organization', ownUnless: 'userId' },
  members: read('USERS'),
});
