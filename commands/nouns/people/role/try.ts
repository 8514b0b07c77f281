import { LETTERS } from '#commands/kit/letters.ts';
import { command } from '#commands/model/command.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';
import { RoleService } from '#proto/gen/hiber/role_service_pb.ts';

import { grantableRole, role, loadRoleNames } from './entity.ts';

/**
 * Limits the caller to some of their roles in this organization, to see what others see. The limit applies in every
 * browser and to personal tokens, until the caller restores their own roles (contract: RoleService).
 */
export const tryRoles = command({
  id: 'role.try',
  on: () => role,
  requires: 'UPDATE_SELF',
  effect: 'write',
  keys: [LETTERS.workAs],
  blockedReason: ({ actor: { trialRoles } }) => (trialRoles ? message('role:validation.trying') : undefined),
  params: { roles: p.many(() => grantableRole) },
  positional: ['roles'],
  plan: async (context, { roles: { items } }) => {
    const ungrantable = items.find(({ grantable }) => !grantable);
    if (ungrantable)
      throw new CommandError(message('role:validation.notYours', { role: role.label(ungrantable) }), 'roles');
    return {
      summary: message('role:plan.try', { roles: items.map(role.label).join(', ') }),
      count: items.length,
      changes: [],
      notes: [message('role:plan.lasts', { organization: context.organization.name })],
      reversible: true,
    };
  },
  run: async (context, { roles: { ids, items } }) => {
    const request = { organization: context.organization.id, selection: { roles: { include: [...ids] } } };
    await context.api(RoleService).override(request, { signal: context.signal });
    const roles = items.map(role.label).join(', ');
    return { changed: ['me', 'role', 'user'], message: message('role:done.trying', { roles }) };
  },
  inverse: () => [{ id: 'role.restore', args: {} }],
});

export const restoreRoles = command({
  id: 'role.restore',
  requires: 'UPDATE_SELF',
  effect: 'write',
  keys: ['Shift+B'],
  blockedReason: ({ actor: { trialRoles } }) => (trialRoles ? undefined : message('role:validation.notTrying')),
  plan: async () => ({ summary: message('role:plan.restore'), count: 1, changes: [], reversible: true }),
  run: async (context) => {
    const { actor, organization } = context;
    const before = actor.trialRoles ?? [];
    await context.api(RoleService).restore({ organization: [organization.id] }, { signal: context.signal });
    const roles = (await loadRoleNames(context, before)).join(', ');
    return { changed: ['me', 'role', 'user'], message: message('role:done.restored', { roles }), data: { before } };
  },
  inverse: (_args, { data }) => {
    const { before } = data as { before: readonly string[] };
    return before.length > 0 ? [{ id: 'role.try', args: { roles: { ids: before } } }] : [];
  },
});
