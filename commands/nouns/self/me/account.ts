import { command, type Command } from '#commands/model/command.ts';
import { requireCapability, type Context } from '#commands/model/context.ts';
import { printPage } from '#commands/model/page.ts';
import { p, required } from '#commands/model/params.ts';
import { message, type Message } from '#commands/text/message.ts';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';

import { profile } from './profile.ts';

const show = command({
  id: 'me.show',
  effect: 'read',
  needs: ['output'],
  run: async (context) => {
    await printPage(profile, context, requireCapability(context, 'output'));
    return {};
  },
});

const signOut = command({
  id: 'me.sign-out',
  effect: 'navigate',
  needs: ['session'],
  run: async (context) => {
    await requireCapability(context, 'session').signOut();
    return { message: message('me:done.signedOut') };
  },
});

/** The plan fields for a personal change that can't be undone but needs no confirmation. */
const HARMLESS = { count: 1, changes: [], reversible: false, harmless: true };

const acceptTerms = command({
  id: 'me.accept-terms',
  requires: 'UPDATE_SELF',
  effect: 'write',
  params: { accept: required(p.flag({ check: (value) => (value ? undefined : message('me:validation.terms')) })) },
  plan: async () => ({ summary: message('me:plan.acceptTerms'), ...HARMLESS }),
  run: async (context) => {
    await context.api(CurrentUserService).acceptTermsAndConditions({ acceptTac: true }, { signal: context.signal });
    return { changed: ['me'], message: message('me:done.acceptedTerms') };
  },
});

/**
 * Records that the user changed their password at the identity provider, so they are no longer advised to change
 * it (contract: CurrentUserService).
 */
const passwordChanged = command({
  id: 'me.password-changed',
  requires: 'UPDATE_SELF',
  effect: 'write',
  unlisted: true,
  plan: async () => ({ summary: message('me:plan.passwordChanged'), ...HARMLESS }),
  run: async (context) => {
    await context.api(CurrentUserService).logPasswordUpdated({}, { signal: context.signal });
    return { changed: ['me'], message: message('me:done.passwordChanged') };
  },
});

/**
 * Blocks users who signed in with a token, because only accounts at the identity provider have a password and second
 * factors.
 */
function blockedForToken({ host }: Context): Message | undefined {
  return host.identity?.current() ? undefined : message('me:byToken');
}

const changePassword = command({
  id: 'me.change-password',
  effect: 'navigate',
  needs: ['navigate', 'identity'],
  blockedReason: blockedForToken,
  run: async (context) => {
    requireCapability(context, 'navigate')({ path: '/login/reset-password' });
    return {};
  },
});

const secondFactors = command({
  id: 'me.second-factors',
  effect: 'navigate',
  needs: ['navigate', 'identity'],
  blockedReason: blockedForToken,
  run: async (context) => {
    requireCapability(context, 'navigate')({ path: '/login/mfa/enroll' });
    return {};
  },
});

/** Deletes the login and personal data. Only the email address is kept, for auditing (contract: CurrentUserService). */
const deleteAccount = command({
  id: 'me.delete-account',
  requires: 'DELETE_SELF',
  effect: 'destructive',
  plan: async ({ actor }) => ({
    summary: message('me:plan.delete-account', { email: actor.email || actor.name }),
    count: 1,
    changes: [],
    notes: [message('me:plan.accountDeleted')],
    reversible: false,
    confirm: actor.email || actor.name,
  }),
  run: async (context) => {
    await context.api(CurrentUserService).deleteCurrentUser({}, { signal: context.signal });
    await context.host.session?.signOut();
    return { message: message('me:done.delete-account') };
  },
});

export const accountCommands: readonly Command[] = [
  show,
  signOut,
  acceptTerms,
  passwordChanged,
  changePassword,
  secondFactors,
  deleteAccount,
];
