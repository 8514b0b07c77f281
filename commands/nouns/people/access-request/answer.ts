import { bulkAction } from '#commands/kit/bulk-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { role, roleParams, rolesProblem, rolesText } from '#commands/nouns/people/role/entity.ts';
import { message } from '#commands/text/message.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';

import { accessRequest } from './entity.ts';

/** Approves requests. Can't be undone, because removing the member wouldn't restore the request. */
export const approve = bulkAction({
  entity: accessRequest,
  verb: 'approve',
  target: 'requests',
  requires: 'MANAGE_USERS',
  keys: [LETTERS.roles],
  params: roleParams,
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

/** Rejects requests by removing the people who made them (contract: UserService). They can ask again. */
export const reject = bulkAction({
  entity: accessRequest,
  verb: 'reject',
  target: 'requests',
  requires: 'MANAGE_USERS',
  keys: [LETTERS.remove],
  change: ({ email }) => ({ field: message('access-request:fields.request'), before: email, after: undefined }),
  notes: () => [message('access-request:plan.mayAskAgain')],
  size: 1,
  call: async ({ api, organization, signal }, items) => {
    await api(UserService).remove({ organization, userIds: items.map(({ id }) => id) }, { signal });
  },
});
