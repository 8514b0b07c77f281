import type { SupportSession } from '#commands/model/actor.ts';
import { command } from '#commands/model/command.ts';
import { requireCapability, type Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import { organization } from '#commands/nouns/people/organization/entity.ts';
import { allowChanges, beginSupportSession, endSupportSession } from '#commands/session/support-session.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';

import { loadRecentReasons } from './reasons.ts';

const reasonParam = () =>
  p.text({
    suggest: loadRecentReasons,
    maxLength: MAX_LENGTH.supportReason,
    check: (value) => (value.trim() ? undefined : message('core:validation.required')),
  });

/** Starts a support session with a reason. Pressing `o` opens this command if a reason is required. */
export const actWithReason = command({
  id: 'support.act-as',
  requires: 'CUSTOMER_SUPPORT',
  effect: 'navigate',
  needs: ['session'],
  params: { organization: required(p.ref(() => organization)), reason: required(reasonParam()) },
  positional: ['organization', 'reason'],
  run: async (context, { organization: item, reason }) => {
    await beginSupportSession(context.api, organization.id(item), reason.trim());
    await requireCapability(context, 'session').actAs(organization.id(item));
    return {
      changed: ['support-session'],
      message: message('organization:done.actingAs', { name: organization.label(item) }),
    };
  },
});

const blockedOutsideSession = ({ organization: { supportSession } }: Context): Message | undefined =>
  supportSession ? undefined : message('support:notInSession');

export const setReason = command({
  id: 'support.set-reason',
  requires: 'CUSTOMER_SUPPORT',
  effect: 'write',
  affectsOnlyCaller: true,
  blockedReason: blockedOutsideSession,
  params: { reason: required(reasonParam()) },
  positional: ['reason'],
  plan: async ({ organization: { id, name, supportSession } }, { reason }) => ({
    summary: message('support:plan.reason', { reason: reason.trim() }),
    count: 1,
    changes: [
      {
        id,
        label: name,
        field: message('support:fields.reason'),
        before: supportSession?.reason || undefined,
        after: reason.trim(),
      },
    ],
    reversible: Boolean(supportSession?.reason),
    harmless: true,
  }),
  run: async (context, { reason }) => {
    const before = context.organization.supportSession?.reason ?? '';
    showSupportSession(context, await beginSupportSession(context.api, context.organization.id, reason.trim()));
    return {
      changed: ['support-session'],
      message: message('support:done.reason', { reason: reason.trim() }),
      data: { before },
    };
  },
  // A reason can be replaced but not removed.
  inverse: (_args, { data }) => {
    const { before } = data as { before: string };
    return before ? [{ id: 'support.set-reason', args: { reason: before } }] : [];
  },
});

/** Allows changes in the support session, which is read-only until then. */
export const allow = command({
  id: 'support.allow-changes',
  requires: 'CUSTOMER_SUPPORT',
  effect: 'write',
  affectsOnlyCaller: true,
  blockedReason: blockedOutsideSession,
  params: { reason: reasonParam() },
  positional: ['reason'],
  plan: async ({ organization: { name } }) => ({
    summary: message('support:plan.allow', { organization: name }),
    count: 1,
    changes: [],
    notes: [message('support:plan.recorded')],
    reversible: true,
  }),
  run: async (context, { reason }) => {
    showSupportSession(context, await allowChanges(context.api, context.organization.id, reason?.trim()));
    return {
      changed: ['support-session'],
      message: message('support:done.allowed', { organization: context.organization.name }),
    };
  },
  inverse: () => [{ id: 'support.read-only', args: {} }],
});

export const readOnly = command({
  id: 'support.read-only',
  requires: 'CUSTOMER_SUPPORT',
  effect: 'write',
  affectsOnlyCaller: true,
  blockedReason: blockedOutsideSession,
  plan: async ({ organization: { name } }) => ({
    summary: message('support:plan.readOnly', { organization: name }),
    count: 1,
    changes: [],
    reversible: true,
  }),
  run: async (context) => {
    const { id, name, supportSession } = context.organization;
    if (!supportSession) throw new CommandError(message('support:notInSession'));
    // Changes stay allowed until the session ends, so this starts a new, read-only session.
    await endSupportSession(context.api, id);
    let newSession: SupportSession | undefined;
    try {
      newSession = await beginSupportSession(context.api, id, supportSession.reason);
    } finally {
      // If the server rejects the new session, no session remains.
      showSupportSession(context, newSession);
    }
    return { changed: ['support-session'], message: message('support:done.readOnly', { organization: name }) };
  },
  inverse: () => [{ id: 'support.allow-changes', args: {} }],
});

/** Extends the session to one hour from now. */
export const extend = command({
  id: 'support.extend',
  requires: 'CUSTOMER_SUPPORT',
  effect: 'write',
  affectsOnlyCaller: true,
  blockedReason: blockedOutsideSession,
  plan: async ({ organization: { name } }) => ({
    summary: message('support:plan.extend', { organization: name }),
    count: 1,
    changes: [],
    reversible: false,
    harmless: true,
  }),
  run: async (context) => {
    showSupportSession(context, await beginSupportSession(context.api, context.organization.id));
    return { changed: ['support-session'], message: message('support:done.extended') };
  },
});

/** Shows the new state of the support session in the console. The CLI has no place to show it. */
function showSupportSession({ host }: Context, supportSession: SupportSession | undefined): void {
  host.session?.updateSupportSession(supportSession);
}
