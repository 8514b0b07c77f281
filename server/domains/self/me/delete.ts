import { and, eq, ne } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { runToCompletion } from '#server/db/pool/work.ts';
import { emailNotification, emailPreference } from '#server/db/schema/mail.ts';
import { accessRequest } from '#server/db/schema/membership-request.ts';
import { signIn, userActivity } from '#server/db/schema/sign-in.ts';
import { token } from '#server/db/schema/token.ts';
import { appUser, membership, roleOverride } from '#server/db/schema/user.ts';
import { deleteTokens } from '#server/domains/integrations/token/parent.ts';
import { userRemoved } from '#server/domains/people/user/model/events.ts';
import { translateProviderErrors } from '#server/domains/people/user/model/identity-errors.ts';
import { ensureManagerRemains } from '#server/domains/people/user/model/managers.ts';
import { accessSubject, announceAccessChanged } from '#server/events/access.ts';
import { recordEvents } from '#server/events/record.ts';
import type { Session } from '#server/session/session.ts';
import { failedPrecondition } from '#server/wire/errors.ts';

/**
 * Deletes the caller's memberships, tokens, settings, and activity. Keeps the user's row, because otherwise their old
 * ID tokens would be valid again, and keeps the address for audits. Deletes the login last, when nothing else can fail,
 * and rolls everything back if the provider rejects the deletion.
 *
 * The last administrator of an organization must appoint another administrator first, unless they are its only member.
 *
 * @param idToken the token that authenticates this call
 * @throws ConnectError FAILED_PRECONDITION for an API token, for a last administrator, and for a sign-in that the
 *   provider considers too old
 */
export async function deleteCurrentUser(
  app: App,
  { user, signIn: currentSignIn, memberships }: Session,
  idToken: string,
) {
  if (currentSignIn === undefined) {
    throw failedPrecondition("An API token can't delete the account it belongs to. Sign in instead.");
  }
  // Run to completion. Otherwise, if the caller hung up after the login was deleted, the rest would be rolled back.
  await runToCompletion(() =>
    app.db.transaction(async (tx) => {
      for (const { organization } of memberships) await leave(tx, organization, user.id);
      const now = app.now();
      await recordEvents(
        tx,
        memberships.map(({ organization }) => userRemoved(organization, user, now)),
      );
      const ownedByUser = eq(token.userId, user.id);
      const tokens = await tx
        .select()
        .from(token)
        .where(ownedByUser)
        .orderBy(token.organization, token.id)
        .for('update');
      await deleteTokens(tx, tokens, now);
      for (const table of [accessRequest, roleOverride, emailPreference, emailNotification, signIn, userActivity]) {
        await tx.delete(table).where(eq(table.userId, user.id));
      }
      await tx
        .update(appUser)
        .set({ ...clearedColumns, deletedAt: now })
        .where(eq(appUser.id, user.id));
      announceAccessChanged(tx, [accessSubject.user(user.id)]);
      await translateProviderErrors(app.accounts.remove({ idToken }));
    }),
  );
}

/** Only the id and the address remain. */
const clearedColumns = {
  name: '',
  defaultOrganization: null,
  missionControlSettings: '{}',
  unitPreferences: {},
  acceptedTacAt: null,
  passwordResetRecommended: false,
  passwordResetRecommendedReason: null,
};

async function leave(tx: Tx, organization: string, userId: string): Promise<void> {
  const ownMembership = and(eq(membership.organization, organization), eq(membership.userId, userId));
  const [otherMember] = await tx
    .select({ id: membership.userId })
    .from(membership)
    .where(and(eq(membership.organization, organization), ne(membership.userId, userId)))
    .limit(1);
  const deleteMembership = async () => void (await tx.delete(membership).where(ownMembership));
  await (otherMember === undefined ? deleteMembership() : ensureManagerRemains(tx, organization, deleteMembership));
}
