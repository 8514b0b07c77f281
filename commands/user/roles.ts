import type { MessageInitShape } from '@bufbuild/protobuf';

import type { Role } from '#proto/hiber/role_pb';
import { UserService, type UpdateUserRoles_RequestSchema } from '#proto/hiber/user_pb';
import { BATCH_SIZE } from '../core/batch.ts';
import { command, type Command } from '../core/command.ts';
import type { Context } from '../core/context.ts';
import { editDone, editPlan } from '../core/edit-command.ts';
import { initialOf, split, type Fields, type Wanted } from '../core/editing.ts';
import { groupBy } from '../core/group-by.ts';
import { message, type Message } from '../core/message.ts';
import { p, required } from '../core/params.ts';
import { succeeded } from '../core/result.ts';
import type { Selected } from '../core/target.ts';
import { givenRoles, grantableRole, role, rolesProblem } from '../role/entity.ts';
import { user } from './entity.ts';
import { changeUsers, type UserItem } from './item.ts';

type Identifiers = readonly string[];

type Takes = Pick<typeof givenRoles, 'roles'> & Partial<Pick<typeof givenRoles, 'withoutRoles'>>;

interface RoleChange {
  readonly verb: 'set-roles' | 'add-roles' | 'remove-roles';
  readonly keys?: readonly string[];
  readonly takes: Takes;
  readonly after: (now: Identifiers, given: Identifiers) => Identifiers;
  readonly update: (given: string[]) => MessageInitShape<typeof UpdateUserRoles_RequestSchema>['update'];
}

/** The field of a plan: roles by the names that people call them. The field computes what it becomes, so what is wanted only has to be there. */
function fieldOf(items: readonly UserItem[], given: readonly Role[], after: RoleChange['after']): Fields<UserItem> {
  const names = new Map(items.flatMap((item) => item.user.roles.map((id, at) => [id, item.roles[at] ?? id] as const)));
  for (const each of given) names.set(each.identifier, role.label(each));
  return {
    roles: {
      now: (item) => item.user.roles,
      after: (item) => after(item.user.roles, given.map(role.id)),
      text: (value) => (value as Identifiers).map((id) => names.get(id) ?? id).join(', ') || undefined,
    },
  };
}
const WANTED: Wanted = { roles: [] };

const isOneself = ({ actor }: Context, { user: { id } }: UserItem): boolean => id === actor.id;

function changing({ verb, keys, takes, after, update }: RoleChange): Command {
  const replaces = verb === 'set-roles';
  const next = (item: UserItem, given: readonly Role[]): Identifiers => after(item.user.roles, given.map(role.id));
  return command({
    id: `user.${verb}`,
    on: () => user,
    requires: 'MANAGE_USERS',
    effect: 'write',
    ...(keys ? { keys } : {}),
    params: {
      users: p.many(() => user),
      ...takes,
    },
    positional: ['users', 'roles'],
    problems: (_context, { users: { items }, roles = [], withoutRoles = false }) => {
      if (replaces) return rolesProblem({ roles, withoutRoles });
      if (roles.length === 0) return { roles: message('role:validation.required') };
      if (verb === 'add-roles') return rolesProblem({ roles, withoutRoles: false });
      const [left] = items.filter((item) => next(item, roles).length === 0);
      return left && !withoutRoles
        ? { withoutRoles: message('user:validation.wouldHaveNone', { name: user.label(left) }) }
        : {};
    },
    plan: async (context, { users: { items }, roles = [] }) => {
      const base = editPlan(user, fieldOf(items, roles, after), WANTED, items);
      const left = items.filter((item) => next(item, roles).length === 0).length;
      return { ...base, notes: [...(base.notes ?? []), ...remarks(context, items, left)] };
    },
    run: async (context, { users: { items }, roles = [], withoutRoles = false }) => {
      const changed = split(fieldOf(items, roles, after), WANTED, items).changing;
      const send = async (of: { organization: string; userIds: string[] }, { api, signal }: Context): Promise<void> => {
        const request = { ...of, update: update(roles.map(role.id)), overrideAllowNoRoles: withoutRoles };
        await api(UserService).updateUserRoles(request, { signal });
      };
      const results = await changeUsers(context, changed, send, BATCH_SIZE);
      const own = changed.some((item) => isOneself(context, item));
      const said = editDone(user, fieldOf(items, roles, after), WANTED, results);
      return { changed: ['user', ...(own ? ['me'] : [])], results, said };
    },
    inverse: ({ users: { items } }, outcome) => {
      const done = new Set(succeeded(outcome).map(({ id }) => id));
      const groups = groupBy(
        items.filter((item) => done.has(user.id(item))),
        (item) => JSON.stringify(item.user.roles),
      );
      return [...groups].map(([before, group]) => {
        const roles = JSON.parse(before) as string[];
        const users = { ids: group.map(user.id) };
        return { id: 'user.set-roles', args: roles.length > 0 ? { users, roles } : { users, withoutRoles: true } };
      });
    },
  });
}

/** What is easily overlooked: that one takes something from oneself, and that somebody is left with nothing. */
function remarks(context: Context, items: readonly UserItem[], left: number): readonly Message[] {
  return [
    ...(items.some((item) => isOneself(context, item)) ? [message('user:plan.yourself')] : []),
    ...(left > 0 ? [message('user:plan.withoutRoles', { count: left })] : []),
  ];
}

const given: RoleChange['after'] = (_now, roles) => roles;

/** A form begins with the roles that they have, to be changed. */
export const setRoles: Command = {
  ...changing({
    verb: 'set-roles',
    keys: ['r'],
    takes: givenRoles,
    after: given,
    update: (roles) => ({ case: 'replace', value: { roles } }),
  }),
  initial: async (_context, { users }) => {
    const { items } = users as Selected<UserItem>;
    return initialOf(fieldOf(items, [], given), items);
  },
};

export const addRoles = changing({
  verb: 'add-roles',
  takes: { roles: required(p.refs(() => grantableRole)) },
  after: (now, given) => [...new Set([...now, ...given])],
  update: (add) => ({ case: 'modify', value: { add } }),
});

export const removeRoles = changing({
  verb: 'remove-roles',
  // Also those that one may not give can be taken away.
  takes: { roles: required(p.refs(() => role)), withoutRoles: givenRoles.withoutRoles },
  after: (now, given) => now.filter((each) => !given.includes(each)),
  update: (remove) => ({ case: 'modify', value: { remove } }),
});

export const roleCommands: readonly Command[] = [setRoles, addRoles, removeRoles];
