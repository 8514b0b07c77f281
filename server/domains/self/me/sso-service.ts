import { randomUUID } from 'node:crypto';

import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { SignJWT } from 'jose';

import { SingleSignOnService, ZendeskTokenRequest_ResponseSchema } from '#proto/gen/hiber/sso_pb.ts';
import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { service } from '#server/app/service.ts';
import { type Scope, scope } from '#server/session/scope.ts';
import { failedPrecondition } from '#server/wire/errors.ts';

/**
 * Long enough for the redirect, but too short for a stolen token to be useful. The contract does not specify this time
 * or the claims.
 */
const LIFETIME_SECONDS = 120;

export const ssoService = service(SingleSignOnService, (app) => ({
  async zendesk(_request, context) {
    const caller = scope(context);
    const { helpDesk } = app.config;
    if (helpDesk === undefined) throw failedPrecondition('This installation has no help desk to sign in to.');
    requirePerson(caller);
    const { user } = caller.session;
    if (!user.emailVerified) {
      throw failedPrecondition('Verify your email address first. The help desk uses it to identify you.');
    }
    const issuedAt = Math.floor(app.now().getTime() / 1000);
    const token = await new SignJWT({
      email: user.email,
      name: user.name || user.email,
      external_id: user.id,
      // Use the slug because display names aren't unique, and anyone could use another organization's name.
      organization: caller.organization,
    })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setJti(randomUUID())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .sign(new TextEncoder().encode(helpDesk.secret));
    return create(ZendeskTokenRequest_ResponseSchema, { token });
  },
}));

/** Denies SPECIFIC tokens because no permission that they can have covers signing in elsewhere as their owner. */
function requirePerson({ session: { token } }: Scope): void {
  if (token === undefined || token.type === Token_Type.PERSONAL) return;
  throw new ConnectError('Only a person can sign in to the help desk, not a token.', Code.PermissionDenied);
}
