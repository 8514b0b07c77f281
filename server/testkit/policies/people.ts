import { eq } from 'drizzle-orm';

import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { userValidation } from '#server/db/schema/membership-request.ts';
import { organization } from '#server/db/schema/organization.ts';
import { supportSession } from '#server/db/schema/support.ts';
import { token } from '#server/db/schema/token.ts';
import { appUser, membership, roleOverride } from '#server/db/schema/user.ts';
import { hashApiToken } from '#server/session/api-token.ts';
import { createIdToken, type TestServer } from '#server/testkit/server.ts';

import { expectedRoles, includedPermissions, organizationPermissions, userPermissions } from './roles.ts';

/** A kind of caller, with its permissions as listed in permissions.ts and roles.ts. */
export interface Person {
  readonly name: string;
  readonly bearer: string | undefined;
  /** True if they can't authenticate. */
  readonly unauthenticated?: boolean;
  /** The default organization of their requests; undefined if they have none. */
  readonly home?: string;
  /** The organization that their requests name, if the request has a field for one. */
  readonly requested?: string;
  /** True if they have no access to that organization. */
  readonly isOutOfReach?: boolean;
  /** A sign-in rule that bars them from their organizations. */
  readonly blockedReason?: string;
  /** True if they act there in a read-only support session. */
  readonly readOnly?: boolean;
  readonly permissions: ReadonlySet<string>;
}

const HOUR = 3600 * 1000;
const PARENT = 'northwind';
const CHILD = 'northwind-north';
const OTHER_ORGANIZATION = 'quarterdeck';
/** An organization whose sign-in rule matches no test user's address. */
const STRICT = 'strict';
/** A child of {@link STRICT}. */
const STRICT_CHILD = 'strict-child';

const rolePermissions = (...roles: string[]): ReadonlySet<string> =>
  new Set([
    ...roles.flatMap((role) => [...(expectedRoles[role]?.organization ?? []), ...(expectedRoles[role]?.support ?? [])]),
    ...userPermissions,
  ]);

interface TestMembership {
  readonly organization: string;
  readonly roles: string[];
  readonly suspendedAt?: Date;
  /** The member's role override in this organization. */
  readonly override?: string[];
}

/** Creates all kinds of callers, each with their own account, so changes to an account affect no other caller. */
export async function createCallers(t: TestServer): Promise<Person[]> {
  const now = t.app.now();
  await t.app.db.orm.insert(organization).values([
    { id: STRICT, path: [STRICT], displayName: 'Strict' },
    { id: STRICT_CHILD, parent: STRICT, path: [STRICT, STRICT_CHILD], displayName: 'Strict child' },
  ]);
  await t.app.db.orm.insert(userValidation).values({ organization: STRICT, emailRegex: '.*@strict[.]example' });
  const member = (name: string, ...memberships: TestMembership[]) => createAccount(t, name, memberships);
  const staff = { home: OTHER_ORGANIZATION, requested: PARENT, permissions: rolePermissions('support') };
  const supportMembership = { organization: OTHER_ORGANIZATION, roles: ['support'] };
  const staffWithChanges = await member('support staff with changes allowed', supportMembership);
  await t.with(staffWithChanges.bearer).client(SupportService).allowChanges({ organization: PARENT });
  /** Creates staff whose earlier session allowed changes. Their next call begins a read-only session. */
  const endedSession = async (name: string, how: 'ended' | 'expired') => {
    const account = await member(name, supportMembership);
    const client = t.with(account.bearer).client(SupportService);
    await client.allowChanges({ organization: PARENT });
    if (how === 'ended') await client.endSupportSession({ organization: PARENT });
    else {
      await t.app.db.orm
        .update(supportSession)
        .set({ endsAt: new Date(now.getTime() - 1) })
        .where(eq(supportSession.userId, toId(name)));
    }
    return account;
  };
  const personalTokenOwner = await member('owner of a PERSONAL token of support staff', supportMembership);
  const people: Person[] = [
    { name: 'nobody', bearer: undefined, unauthenticated: true, permissions: new Set() },
    { ...(await member('a newcomer')), permissions: rolePermissions() },
  ];
  for (const role of ['viewer', 'operator', 'developer', 'installer', 'administrator']) {
    const caller = await member(`a member with the ${role} role`, { organization: PARENT, roles: [role] });
    people.push({ ...caller, home: PARENT, permissions: rolePermissions(role) });
  }
  people.push(
    {
      ...(await member('a member with two roles', { organization: PARENT, roles: ['viewer', 'installer'] })),
      home: PARENT,
      permissions: rolePermissions('viewer', 'installer'),
    },
    {
      ...(await member('an administrator overridden to viewer', {
        organization: PARENT,
        roles: ['administrator'],
        override: ['viewer'],
      })),
      home: PARENT,
      permissions: rolePermissions('viewer'),
    },
    {
      // The override dates from a time when the user had more permissions.
      ...(await member('a viewer overridden to administrator', {
        organization: PARENT,
        roles: ['viewer'],
        override: ['administrator'],
      })),
      home: PARENT,
      permissions: rolePermissions('viewer'),
    },
    {
      ...(await member('the administrator of a parent organization', {
        organization: PARENT,
        roles: ['administrator'],
      })),
      home: PARENT,
      requested: CHILD,
      permissions: rolePermissions('administrator'),
    },
    {
      ...(await member('the administrator of a child organization', { organization: CHILD, roles: ['administrator'] })),
      home: CHILD,
      requested: PARENT,
      isOutOfReach: true,
      permissions: rolePermissions('administrator'),
    },
    {
      ...(await member('the administrator of another tenant', {
        organization: STRICT_CHILD,
        roles: ['administrator'],
      })),
      home: STRICT_CHILD,
      requested: PARENT,
      isOutOfReach: true,
      permissions: rolePermissions('administrator'),
    },
    {
      ...(await member('a suspended member', { organization: PARENT, roles: ['administrator'], suspendedAt: now })),
      unauthenticated: true,
      permissions: new Set(),
    },
    {
      ...(await member('a member barred by a rule', { organization: STRICT, roles: ['administrator'] })),
      home: STRICT,
      blockedReason: '"strict" only admits addresses that match',
      permissions: rolePermissions(),
    },
    {
      ...(await member(
        'a viewer in a child of an organization that bars them',
        { organization: STRICT_CHILD, roles: ['viewer'] },
        { organization: STRICT, roles: ['administrator'] },
      )),
      home: STRICT_CHILD,
      permissions: rolePermissions('viewer'),
    },
    {
      ...(await member(
        'barred support staff who are viewers elsewhere',
        { organization: STRICT_CHILD, roles: ['viewer'] },
        { organization: STRICT, roles: ['support'] },
      )),
      home: STRICT_CHILD,
      permissions: rolePermissions('viewer'),
    },
    { ...(await member('read-only support staff', supportMembership)), readOnly: true, ...staff },
    { ...staffWithChanges, ...staff },
    { ...(await endedSession('support staff whose session has ended', 'ended')), readOnly: true, ...staff },
    { ...(await endedSession('support staff whose session has expired', 'expired')), readOnly: true, ...staff },
    {
      name: 'a PERSONAL token of support staff',
      bearer: await createApiToken(t, toId(personalTokenOwner.name), {
        organization: OTHER_ORGANIZATION,
        type: Token_Type.PERSONAL,
      }),
      readOnly: true,
      ...staff,
    },
  );
  return [...people, ...(await createTokens(t, member))];
}

async function createTokens(
  t: TestServer,
  member: (name: string, ...memberships: TestMembership[]) => Promise<Owner>,
): Promise<Person[]> {
  const owner = async (name: string, overrides: Partial<TestMembership> = {}) =>
    toId((await member(`owner of ${name}`, { organization: PARENT, roles: ['administrator'], ...overrides })).name);
  const allPermissions = {
    organizationPermissions: numbers(organizationPermissions),
    userPermissions: numbers(userPermissions),
  };
  const everything = new Set([...organizationPermissions, ...userPermissions]);
  const deletedOwner = await owner('a deleted account');
  await t.app.db.orm.update(appUser).set({ deletedAt: t.app.now() }).where(eq(appUser.id, deletedOwner));
  const rows: [string, string, TokenRow, Omit<Person, 'name' | 'bearer'>][] = [
    [
      'a token without permissions',
      await owner('a token without permissions'),
      {},
      { home: PARENT, permissions: new Set() },
    ],
    [
      'a token with two permissions',
      await owner('two'),
      { organizationPermissions: numbers(['MODEMS', 'TAGS_MANAGE']) },
      { home: PARENT, requested: CHILD, permissions: new Set(['MODEMS', 'TAGS_MANAGE']) },
    ],
    [
      'a token with a role',
      await owner('a role'),
      { roles: ['viewer'] },
      { home: PARENT, permissions: new Set(expectedRoles['viewer']?.organization) },
    ],
    [
      'a token with every permission',
      await owner('everything'),
      allPermissions,
      { home: PARENT, requested: CHILD, permissions: everything },
    ],
    [
      'a token that names another tenant',
      await owner('another tenant'),
      allPermissions,
      { home: PARENT, requested: STRICT_CHILD, isOutOfReach: true, permissions: everything },
    ],
    [
      'a token of a suspended member',
      await owner('a suspended member', { suspendedAt: t.app.now() }),
      allPermissions,
      { home: PARENT, permissions: everything },
    ],
    [
      'a token of support staff with every permission',
      await owner('staff', { organization: OTHER_ORGANIZATION, roles: ['support'] }),
      { ...allPermissions, organization: OTHER_ORGANIZATION },
      { home: OTHER_ORGANIZATION, requested: PARENT, isOutOfReach: true, permissions: everything },
    ],
    [
      'a token with limited impersonation',
      await owner('a limit'),
      { type: Token_Type.PERSONAL, limitImpersonation: { includeAll: false, include: [], exclude: [] } },
      { home: PARENT, requested: CHILD, isOutOfReach: true, permissions: rolePermissions('administrator') },
    ],
    [
      'a PERSONAL token of a user overridden to viewer',
      await owner('an override', { override: ['viewer'] }),
      { type: Token_Type.PERSONAL },
      { home: PARENT, permissions: rolePermissions('viewer') },
    ],
    [
      'an expired token',
      await owner('an hour ago'),
      { ...allPermissions, expiresAt: new Date(t.app.now().getTime() - HOUR) },
      { unauthenticated: true, permissions: new Set() },
    ],
    ['a token of a deleted account', deletedOwner, allPermissions, { unauthenticated: true, permissions: new Set() }],
  ];
  return Promise.all(
    rows.map(async ([name, userId, row, overrides]) => ({
      name,
      bearer: await createApiToken(t, userId, row),
      ...overrides,
    })),
  );
}

/**
 * Creates the tokens to test an rpc with. One has all required permissions. For each required permission, one has every
 * other permission, and one has only the other required permissions.
 */
export async function createBoundaryTokens(t: TestServer, rpc: string, required: readonly string[]): Promise<Person[]> {
  const grantable = required.filter((name) => numberOf(name) !== undefined);
  const everything = [...organizationPermissions, ...userPermissions];
  const sets: [string, string[]][] = [
    ['a token with exactly the required permissions', grantable],
    ...grantable.flatMap((missing): [string, string[]][] => [
      [
        `a token with every permission except ${missing}`,
        everything.filter((name) => name !== missing && !grants(name, missing)),
      ],
      [
        `a token with the required permissions except ${missing}`,
        grantable.filter((name) => name !== missing && !grants(name, missing)),
      ],
    ]),
  ];
  const people: Person[] = [];
  for (const [name, names] of sets) {
    const owner = await createAccount(t, `${rpc} ${name}`, [{ organization: PARENT, roles: ['administrator'] }]);
    const bearer = await createApiToken(t, toId(owner.name), {
      organizationPermissions: numbers(names.filter((name) => name in OrganizationPermission)),
      userPermissions: numbers(names.filter((name) => name in UserPermission)),
    });
    const permissions = new Set(names.flatMap((name) => [name, ...(includedPermissions[name] ?? [])]));
    people.push({ name, bearer, home: PARENT, permissions });
  }
  return people;
}

const grants = (name: string, value: string): boolean => includedPermissions[name]?.includes(value) ?? false;
function numberOf(name: string): number | undefined {
  if (name in OrganizationPermission) return OrganizationPermission[name as keyof typeof OrganizationPermission];
  return name in UserPermission ? UserPermission[name as keyof typeof UserPermission] : undefined;
}
const numbers = (names: readonly string[]): number[] => names.flatMap((name) => numberOf(name) ?? []);

type TokenRow = Partial<typeof token.$inferInsert>;
let tokenCount = 0;

async function createApiToken(t: TestServer, userId: string, row: TokenRow): Promise<string> {
  const id = 1_000_000 + tokenCount++;
  const bearer = `qd_${id}`.padEnd(46, 'x');
  await t.app.db.orm.insert(token).values({
    organization: PARENT,
    id,
    name: `Token ${id}`,
    userId,
    hash: hashApiToken(bearer),
    type: Token_Type.SPECIFIC,
    ...row,
  });
  return bearer;
}

const toId = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]+/g, '-');

interface Owner {
  readonly name: string;
  readonly bearer: string;
}

/** Creates a user whose default organization is their first membership. */
async function createAccount(t: TestServer, name: string, memberships: TestMembership[]): Promise<Owner> {
  const id = toId(name);
  const identity = { id, email: `${id}@example.com`, name };
  const { orm } = t.app.db;
  await orm.insert(appUser).values({ ...identity, defaultOrganization: memberships[0]?.organization ?? null });
  if (memberships.length > 0) {
    const rows = memberships.map(({ organization: organizationId, roles, suspendedAt = null }) => ({
      organization: organizationId,
      roles,
      suspendedAt,
    }));
    await orm.insert(membership).values(rows.map((row) => ({ ...row, userId: id })));
  }
  const overrides = memberships.flatMap(({ organization: organizationId, override }) =>
    override ? [{ organization: organizationId, roles: override }] : [],
  );
  if (overrides.length > 0) await orm.insert(roleOverride).values(overrides.map((row) => ({ ...row, userId: id })));
  return { name, bearer: createIdToken(identity) };
}
