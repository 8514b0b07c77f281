import { create } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';

import {
  ListResponseSchema,
  RevokeResponseSchema,
  SessionService,
} from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { service } from '#server/app/service.ts';
import { findMembers } from '#server/domains/people/user/model/members.ts';
import { endSignIns } from '#server/domains/people/user/sessions.ts';
import { requireNoOtherOrganization } from '#server/domains/people/user/suspend.ts';
import { permissionDenied, scope, scopeIfAny, session } from '#server/session/scope.ts';

import { listMembers } from './members.ts';
import { listSignIns, revokeOthers, revokeSignIns } from './sign-ins.ts';

export const sessionService = service(SessionService, (app) => {
  const { db } = app;
  /** Returns the member that the request names, or undefined if the request is about the caller. */
  const findRequestedMember = async (userId: string, context: HandlerContext) => {
    if (userId === '' || userId === session(context).user.id) return undefined;
    const caller = scopeIfAny(context);
    if (caller === undefined) throw permissionDenied('USERS_MANAGE', undefined);
    caller.require('USERS_MANAGE');
    const [member] = await findMembers(db.orm, caller.organization, [userId]);
    return member && { ...member, organization: caller.organization };
  };
  return {
    async list({ userId }, context) {
      const { user, signIn } = session(context);
      const member = await findRequestedMember(userId.trim(), context);
      const signIns = await listSignIns(db.orm, member?.user ?? user, signIn?.id);
      return create(ListResponseSchema, { signIns });
    },

    async revoke({ userId, ids }, context) {
      const { user, signIn, userPermissions } = session(context);
      const member = await findRequestedMember(userId.trim(), context);
      const now = app.now();
      if (member === undefined) {
        if (!userPermissions.has('UPDATE')) throw permissionDenied('UPDATE', undefined);
        const revokedCount = await db.transaction((tx) =>
          ids.length === 0 ? revokeOthers(tx, user.id, signIn?.id, now) : revokeSignIns(tx, user.id, ids, now),
        );
        return create(RevokeResponseSchema, { revoked: revokedCount });
      }
      await requireNoOtherOrganization(db.orm, member.organization, [member]);
      const revokedCount = await db.transaction((tx) =>
        ids.length === 0 ? endSignIns(tx, [member.user.id], now) : revokeSignIns(tx, member.user.id, ids, now),
      );
      return create(RevokeResponseSchema, { revoked: revokedCount });
    },

    members: (request, context) => listMembers(db.orm, scope(context), request),
  };
});
