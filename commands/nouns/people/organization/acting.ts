import { command } from '#commands/model/command.ts';
import { need, type Context } from '#commands/model/context.ts';
import { message } from '#commands/text/message.ts';
import { LONGEST } from '#commands/text/lengths.ts';
import { p, required } from '#commands/model/params.ts';
import { beginVisit, endVisit } from '#commands/session/visit.ts';
import { organization } from './entity.ts';

/**
 * Acts for another organization: from then on every request names it, and every plan shows it. Support staff are asked
 * why, once for each visit.
 */
export const actAs = command({
  id: 'organization.act-as',
  effect: 'navigate',
  keys: ['o'],
  asks: (context) => context.actor.abilities.has('CUSTOMER_SUPPORT') && asksReason(context),
  needs: ['session'],
  params: { organization: required(p.ref(() => organization)), reason: p.text({ maxLength: LONGEST.supportReason }) },
  positional: ['organization'],
  run: async (context, { organization: item, reason }) => {
    const id = organization.id(item);
    const visit = context.actor.abilities.has('CUSTOMER_SUPPORT')
      ? await beginVisit(context.api, id, reason)
      : undefined;
    if (visit && !visit.reason && asksReason(context)) {
      need(context, 'palette').open({ invocation: { id: 'support.act-as', args: { organization: id } } });
      return {};
    }
    await need(context, 'session').actAs(id);
    return { message: message('organization:done.actingAs', { name: organization.label(item) }) };
  },
});

/** A setting may leave the question out; settings that were kept before there was one ask. */
function asksReason({ host: { settings, palette } }: Context): boolean {
  return palette !== undefined && settings?.get().askReason !== false;
}

export const returnHome = command({
  id: 'organization.return',
  effect: 'navigate',
  keys: ['Shift+O'],
  needs: ['session'],
  blocked: ({ organization: { impersonating } }) => (impersonating ? undefined : message('organization:notActing')),
  run: async (context) => {
    const { id, visit } = context.organization;
    await Promise.all([visit && endVisit(context.api, id), need(context, 'session').returnHome()]);
    return { message: message('organization:done.returned') };
  },
});
