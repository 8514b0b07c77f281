import { UserService } from '#proto/hiber/user_pb';
import { inBatches } from '../core/batch.ts';
import { command } from '../core/command.ts';
import { countOf } from '../core/edit-command.ts';
import { message } from '../core/message.ts';
import { p } from '../core/params.ts';
import { succeeded } from '../core/result.ts';
import { givenRoles, role, rolesProblem, rolesText } from '../role/entity.ts';
import { accessRequest } from './entity.ts';

/** Lets people in. To take it back is to remove a member, and their request does not come again by that. */
export const approve = command({
  id: 'access-request.approve',
  on: () => accessRequest,
  requires: 'MANAGE_USERS',
  effect: 'write',
  keys: ['r'],
  params: { requests: p.many(() => accessRequest), ...givenRoles },
  positional: ['requests', 'roles'],
  problems: (_context, { roles, withoutRoles }) => rolesProblem({ roles, withoutRoles }),
  plan: async (_context, { requests: { items }, roles }) => ({
    summary: message('access-request:plan.approve', {
      items: countOf(accessRequest, items.length),
      roles: rolesText(roles),
    }),
    count: items.length,
    changes: items.map((item) => ({
      id: item.id,
      label: accessRequest.label(item),
      field: message('access-request:fields.roles'),
      before: undefined,
      after: roles?.map(role.label).join(', ') || undefined,
    })),
    reversible: false,
  }),
  run: async (context, { requests: { items }, roles = [], withoutRoles }) => {
    const results = await inBatches(context, {
      items,
      id: accessRequest.id,
      label: accessRequest.label,
      size: 1,
      each: async ([item], { api, organization, signal }) => {
        const request = {
          organization: organization.id,
          userIds: [item!.id],
          roles: { include: roles.map(role.id) },
          overrideAllowNoRoles: withoutRoles,
        };
        await api(UserService).approve(request, { signal });
      },
    });
    const { length: count } = succeeded({ results });
    return {
      changed: ['access-request', 'user'],
      results,
      said: message('access-request:said.approved', { count }),
    };
  },
});

/** To remove somebody who only asked is to reject them (contract: UserService). They may ask again. */
export const reject = command({
  id: 'access-request.reject',
  on: () => accessRequest,
  requires: 'MANAGE_USERS',
  effect: 'write',
  keys: ['d'],
  params: { requests: p.many(() => accessRequest) },
  positional: ['requests'],
  plan: async (_context, { requests: { items } }) => ({
    summary: message('access-request:plan.reject', { items: countOf(accessRequest, items.length) }),
    count: items.length,
    changes: items.map((item) => ({
      id: item.id,
      label: accessRequest.label(item),
      field: message('access-request:fields.request'),
      before: item.email,
      after: undefined,
    })),
    notes: [message('access-request:plan.mayAskAgain')],
    reversible: false,
  }),
  run: async (context, { requests: { items } }) => {
    const results = await inBatches(context, {
      items,
      id: accessRequest.id,
      label: accessRequest.label,
      size: 1,
      each: async ([item], { api, organization, signal }) => {
        await api(UserService).remove({ organization: organization.id, userIds: [item!.id] }, { signal });
      },
    });
    const { length: count } = succeeded({ results });
    return { changed: ['access-request'], results, said: message('access-request:said.rejected', { count }) };
  },
});
