import { and, asc, eq } from 'drizzle-orm';

import type { ApproveUserRequest } from '#proto/gen/hiber/user_pb.ts';
import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import { accessRequest } from '#server/db/schema/membership-request.ts';
import { appUser } from '#server/db/schema/user.ts';
import { queueEmails } from '#server/mail/queue.ts';
import type { Scope } from '#server/session/scope.ts';
import { notFound, summarizeList } from '#server/wire/errors.ts';

import { join } from './model/join.ts';
import { loadMailContext } from './model/mail-context.ts';
import { approvedMail } from './model/mails.ts';
import { requireIds } from './model/members.ts';
import { readGrantedRoles } from './model/role-grants.ts';
import { requireAllowedAddress, loadRules } from './model/sign-in-rules.ts';

/**
 * Admits people who have requested to join, in a single transaction.
 *
 * @throws ConnectError NOT_FOUND, naming the ids without an open request
 */
export async function approve(app: App, caller: Scope, request: ApproveUserRequest): Promise<void> {
  const { organization } = caller;
  const ids = requireIds(request.userIds);
  const roles = readGrantedRoles(request.roles, caller, request.overrideAllowNoRoles);
  await app.db.transaction(async (tx) => {
    const users = await tx
      .select({ id: appUser.id, name: appUser.name, email: appUser.email })
      .from(accessRequest)
      .innerJoin(appUser, eq(appUser.id, accessRequest.userId))
      .where(and(eq(accessRequest.organization, organization), anyOf(accessRequest.userId, ids)))
      .orderBy(asc(accessRequest.userId))
      .for('update', { of: accessRequest });
    const missingIds = ids.filter((id) => !users.some((user) => user.id === id));
    if (missingIds.length > 0)
      throw notFound(`No request to join "${organization}" from ${summarizeList(missingIds)} was found.`);
    const rules = await loadRules(tx, organization);
    for (const user of users) {
      requireAllowedAddress(rules, user.email);
      await join(tx, organization, user, roles, app.now());
    }
    const context = await loadMailContext(app, tx, organization);
    await queueEmails(
      app,
      tx,
      users.map(({ email }) => approvedMail(email, context)),
    );
  });
}
