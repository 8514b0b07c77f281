import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const sessionPolicy = rpcs(SessionService, {
  // Own sign-ins need no more than being signed in; a member's are the service's to weigh.
  list: { ...read(), audience: 'caller-in-organization', user: ['READ'], ownUnless: 'userId' },
  revoke: { ...change(), audience: 'caller-in-organization', ownUnless: 'userId' },
  members: read('USERS'),
});
