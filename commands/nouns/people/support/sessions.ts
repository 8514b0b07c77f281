import { command } from '#commands/model/command.ts';
import { need, type Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { message, type Message } from '#commands/text/message.ts';
import { p, required } from '#commands/model/params.ts';
import type { Visit } from '#commands/model/actor.ts';
import { allowChanges, beginVisit, endVisit } from '#commands/session/visit.ts';
import { organization } from '#commands/nouns/people/organization/entity.ts';
import { LONGEST } from '#commands/text/lengths.ts';
import { recentReasons } from './reasons.ts';

const reason = () =>
  p.text({
    suggest: recentReasons,
    maxLength: LONGEST.supportReason,
    check: (value) => (value.trim() ? undefined : message('core:validation.required')),
  });

/** Begins to act for an organization, and says why. `o` comes here when no reason was given. */
export const actWithReason = command({
  id: 'support.act-as',
  requires: 'CUSTOMER_SUPPORT',
  effect: 'navigate',
  needs: ['session'],
  params: { organization: required(p.ref(() => organization)), reason: required(reason()) },
  positional: ['organization', 'reason'],
  run: async (context, { organization: item, reason: why }) => {
    await beginVisit(context.api, organization.id(item), why.trim());
    await need(context, 'session').actAs(organization.id(item));
    return {
      changed: ['support-session'],
      message: message('organization:done.actingAs', { name: organization.label(item) }),
    };
  },
});

/** Nothing to change about a visit where there is none. */
const unlessVisiting = ({ organization: { visit: open } }: Context): Message | undefined =>
  open ? undefined : message('support:notVisiting');

export const setReason = command({
  id: 'support.set-reason',
  requires: 'CUSTOMER_SUPPORT',
  effect: 'write',
  own: true,
  blocked: unlessVisiting,
  params: { reason: required(reason()) },
  positional: ['reason'],
  plan: async ({ organization: { id, name, visit: open } }, { reason: why }) => ({
    summary: message('support:plan.reason', { reason: why.trim() }),
    count: 1,
    changes: [
      {
        id,
        label: name,
        field: message('support:fields.reason'),
        before: open?.reason || undefined,
        after: why.trim(),
      },
    ],
    reversible: Boolean(open?.reason),
    harmless: true,
  }),
  run: async (context, { reason: why }) => {
    const before = context.organization.visit?.reason ?? '';
    follow(context, await beginVisit(context.api, context.organization.id, why.trim()));
    return {
      changed: ['support-session'],
      message: message('support:done.reason', { reason: why.trim() }),
      data: { before },
    };
  },
  // A reason replaces the former one; none cannot be given.
  inverse: (_args, { data }) => {
    const { before } = data as { before: string };
    return before ? [{ id: 'support.set-reason', args: { reason: before } }] : [];
  },
});

/** The safety catch: until here a visit only reads. */
export const allow = command({
  id: 'support.allow-changes',
  requires: 'CUSTOMER_SUPPORT',
  effect: 'write',
  own: true,
  blocked: unlessVisiting,
  params: { reason: reason() },
  positional: ['reason'],
  plan: async ({ organization: { name } }) => ({
    summary: message('support:plan.allow', { organization: name }),
    count: 1,
    changes: [],
    notes: [message('support:plan.recorded')],
    reversible: true,
  }),
  run: async (context, { reason: why }) => {
    follow(context, await allowChanges(context.api, context.organization.id, why?.trim()));
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
  own: true,
  blocked: unlessVisiting,
  plan: async ({ organization: { name } }) => ({
    summary: message('support:plan.readOnly', { organization: name }),
    count: 1,
    changes: [],
    reversible: true,
  }),
  run: async (context) => {
    const { id, name, visit: open } = context.organization;
    if (!open) throw new CommandError(message('support:notVisiting'));
    // What was allowed is allowed for the whole of a visit: the next one begins without.
    await endVisit(context.api, id);
    follow(context, await beginVisit(context.api, id, open.reason));
    return { changed: ['support-session'], message: message('support:done.readOnly', { organization: name }) };
  },
  inverse: () => [{ id: 'support.allow-changes', args: {} }],
});

/** Another hour from now. */
export const extend = command({
  id: 'support.extend',
  requires: 'CUSTOMER_SUPPORT',
  effect: 'write',
  own: true,
  blocked: unlessVisiting,
  plan: async ({ organization: { name } }) => ({
    summary: message('support:plan.extend', { organization: name }),
    count: 1,
    changes: [],
    reversible: false,
    harmless: true,
  }),
  run: async (context) => {
    follow(context, await beginVisit(context.api, context.organization.id));
    return { changed: ['support-session'], message: message('support:done.extended') };
  },
});

/** Where there is a frame, it shows what the visit has become. */
function follow({ host }: Context, now: Visit | undefined): void {
  host.session?.visiting(now);
}
