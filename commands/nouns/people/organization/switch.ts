import { command } from '#commands/model/command.ts';
import { requireCapability, type Context } from '#commands/model/context.ts';
import { p, required } from '#commands/model/params.ts';
import { beginSupportSession, endSupportSession } from '#commands/session/support-session.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';

import { organization } from './entity.ts';

/**
 * Switches to another organization. Later requests are made for that organization, and plans show its name. Support
 * staff enter a reason once per support session.
 */
export const actAs = command({
  id: 'organization.act-as',
  effect: 'navigate',
  keys: ['o'],
  choosesItem: true,
  mayPrompt: (context) => context.actor.abilities.has('CUSTOMER_SUPPORT') && requiresReason(context),
  needs: ['session'],
  params: {
    organization: required(p.ref(() => organization)),
    reason: p.text({ maxLength: MAX_LENGTH.supportReason }),
  },
  positional: ['organization'],
  run: async (context, { organization: item, reason }) => {
    const id = organization.id(item);
    const supportSession = context.actor.abilities.has('CUSTOMER_SUPPORT')
      ? await beginSupportSession(context.api, id, reason)
      : undefined;
    if (supportSession && !supportSession.reason && requiresReason(context)) {
      requireCapability(context, 'palette').open({ invocation: { id: 'support.act-as', args: { organization: id } } });
      return {};
    }
    await requireCapability(context, 'session').actAs(id);
    return { message: message('organization:done.actingAs', { name: organization.label(item) }) };
  },
});

/** True in the console unless the user turned the setting off. Settings stored by older releases don't include it. */
function requiresReason({ host: { settings, palette } }: Context): boolean {
  return palette !== undefined && settings?.get().askReason !== false;
}

export const returnHome = command({
  id: 'organization.return',
  effect: 'navigate',
  keys: ['Shift+O'],
  needs: ['session'],
  blockedReason: ({ organization: { awayFromHome } }) => (awayFromHome ? undefined : message('organization:notActing')),
  run: async (context) => {
    const { id, supportSession } = context.organization;
    await Promise.all([
      supportSession && endSupportSession(context.api, id),
      requireCapability(context, 'session').returnHome(),
    ]);
    return { message: message('organization:done.returned') };
  },
});
