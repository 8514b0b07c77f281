import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { bulkAction } from '#commands/kit/bulk-action.ts';
import { message } from '#commands/text/message.ts';
import { givenRoles, role, rolesProblem, rolesText } from '#commands/nouns/people/role/entity.ts';
import { accessRequest } from './entity.ts';

/** Lets people in. To take it back is to remove a member, and their request does not come again by that. */
export const approve = bulkAction({
  of: accessRequest,
  verb: 'approve',
  target: 'requests',
  requires: 'MANAGE_USERS',
  keys: ['r'],
  params: givenRoles,
  positional: ['roles'],
  problems: (_context, { roles, withoutRoles }) => rolesProblem({ roles, withoutRoles }),
  summary: ({ roles }) => ({ roles: rolesText(roles) }),
  change: (_item, { roles }) => ({
    field: message('access-request:fields.roles'),
    before: undefined,
    after: roles?.map(role.label).join(', ') || undefined,
  }),
  size: 1,
  call: async ({ api, organization, signal }, items, { roles = [], withoutRoles }) => {
    const userIds = items.map(({ id }) => id);
    const include = roles.map(role.id);
    await api(UserService).approve(
      { organization, userIds, roles: { include }, overrideAllowNoRoles: withoutRoles },
      { signal },
    );
  },
  changed: ['user'],
});

/** To remove somebody who only asked is to reject them (contract: UserService). They may ask again. */
export const reject = bulkAction({
  of: accessRequest,
  verb: 'reject',
  target: 'requests',
  requires: 'MANAGE_USERS',
  keys: ['d'],
  change: ({ email }) => ({ field: message('access-request:fields.request'), before: email, after: undefined }),
  notes: () => [message('access-request:plan.mayAskAgain')],
  size: 1,
  call: async ({ api, organization, signal }, items) => {
    await api(UserService).remove({ organization, userIds: items.map(({ id }) => id) }, { signal });
  },
});
