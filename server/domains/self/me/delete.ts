import { and, eq, ne } from 'drizzle-orm';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { accessRequest } from '#server/db/schema/membership-request.ts';
import { emailNotification, emailPreference } from '#server/db/schema/mail.ts';
import { signIn, userActivity } from '#server/db/schema/sign-in.ts';
import { token } from '#server/db/schema/token.ts';
import { appUser, membership, roleOverride } from '#server/db/schema/user.ts';
import { seenThrough } from '#server/db/pool/work.ts';
import { rightsOf, tellRightsChanged } from '#server/events/rights.ts';
import { recordEvents } from '#server/events/record.ts';
import { userRemoved } from '#server/domains/people/user/model/events.ts';
import type { Session } from '#server/session/session.ts';
import { failedPrecondition } from '#server/wire/errors.ts';
import { deleteTokens } from '#server/domains/integrations/token/parent.ts';
import { atProvider } from '#server/domains/people/user/model/identity-errors.ts';
import { keepingAManager } from '#server/domains/people/user/model/managers.ts';

/**
 * Deletes the caller: memberships, tokens, settings and what they did; the row stays with the address for the audit,
 * and keeps their old ID tokens out. The login goes last, when nothing can refuse any more, and with it everything else
 * is undone if the provider refuses.
 *
 * The last administrator of an organization is told to hand over first; somebody who is alone in one just goes.
 *
 * @param idToken what this call was made with
 * @throws ConnectError FAILED_PRECONDITION for an API token, for a last administrator, and for a sign-in that the
 *   provider finds too old for this
 */
export async function deleteCurrentUser(app: App, { user, signIn: signedIn, memberships }: Session, idToken: string) {
  if (signedIn === undefined) {
    throw failedPrecondition('An API token cannot delete the account it belongs to: sign in to do that.');
  }
  // Seen through: with the login gone, a caller who hangs up before the commit would undo everything but that.
  await seenThrough(() =>
    app.db.transaction(async (tx) => {
      for (const { organization } of memberships) await leave(tx, organization, user.id);
      const now = app.now();
      await recordEvents(
        tx,
        memberships.map(({ organization }) => userRemoved(organization, user, now)),
      );
      const mine = eq(token.userId, user.id);
      const tokens = await tx.select().from(token).where(mine).orderBy(token.organization, token.id).for('update');
      await deleteTokens(tx, tokens, now);
      for (const table of [accessRequest, roleOverride, emailPreference, emailNotification, signIn, userActivity]) {
        await tx.delete(table).where(eq(table.userId, user.id));
      }
      await tx
        .update(appUser)
        .set({ ...nothing, deletedAt: now })
        .where(eq(appUser.id, user.id));
      tellRightsChanged(tx, [rightsOf.user(user.id)]);
      await atProvider(app.accounts.remove({ idToken }));
    }),
  );
}

/** What is left of somebody: their id and their address. */
const nothing = {
  name: '',
  defaultOrganization: null,
  missionControlSettings: '{}',
  unitPreferences: {},
  acceptedTacAt: null,
  passwordResetRecommended: false,
  passwordResetRecommendedReason: null,
};

async function leave(tx: Tx, organization: string, userId: string): Promise<void> {
  const mine = and(eq(membership.organization, organization), eq(membership.userId, userId));
  const [other] = await tx
    .select({ id: membership.userId })
    .from(membership)
    .where(and(eq(membership.organization, organization), ne(membership.userId, userId)))
    .limit(1);
  const go = async () => void (await tx.delete(membership).where(mine));
  await (other === undefined ? go() : keepingAManager(tx, organization, go));
}
