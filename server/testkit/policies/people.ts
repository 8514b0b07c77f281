import { eq } from 'drizzle-orm';
import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { userValidation } from '#server/db/schema/membership-request.ts';
import { organization } from '#server/db/schema/organization.ts';
import { token } from '#server/db/schema/token.ts';
import { appUser, membership, roleOverride } from '#server/db/schema/user.ts';
import { hashOfApiToken } from '#server/session/api-token.ts';
import { idTokenOf, type TestServer } from '#server/testkit/server.ts';
import { expectedRoles, included, organizationPermissions, userPermissions } from './roles.ts';

/** A kind of caller, and what they hold by the contract and the catalogue of roles, written out elsewhere. */
export interface Person {
  readonly who: string;
  readonly bearer: string | undefined;
  /** Whoever they are, they are not let in. */
  readonly unknown?: boolean;
  /** Where they act when a request names no organization; undefined when nowhere. */
  readonly home?: string;
  /** The organization that their requests name, where they can. */
  readonly names?: string;
  /** What they name is out of their reach. */
  readonly outOfReach?: boolean;
  /** A sign-in rule keeps them out of wherever they would act. */
  readonly barred?: string;
  /** In what they name they act as support staff, and may not change anything yet. */
  readonly onlyReads?: boolean;
  readonly holds: ReadonlySet<string>;
}

const HOUR = 3600 * 1000;
const PARENT = 'northwind';
const CHILD = 'northwind-north';
const ELSEWHERE = 'quarterdeck';
/** An organization that takes only addresses nobody has, and one below it. */
const STRICT = 'strict';
const BELOW_STRICT = 'strict-below';

const held = (...roles: string[]): ReadonlySet<string> =>
  new Set([
    ...roles.flatMap((role) => [...(expectedRoles[role]?.organization ?? []), ...(expectedRoles[role]?.support ?? [])]),
    ...userPermissions,
  ]);

interface Joins {
  readonly organization: string;
  readonly roles: string[];
  readonly suspendedAt?: Date;
  /** Roles that they try out there. */
  readonly tries?: string[];
}

/** Everybody there is, each with an account of their own, so that what one does to themselves touches nobody else. */
export async function everybody(t: TestServer): Promise<Person[]> {
  const now = t.app.now();
  await t.app.db.orm.insert(organization).values([
    { id: STRICT, path: [STRICT], displayName: 'Strict' },
    { id: BELOW_STRICT, parent: STRICT, path: [STRICT, BELOW_STRICT], displayName: 'Below' },
  ]);
  await t.app.db.orm.insert(userValidation).values({ organization: STRICT, emailRegex: '.*@strict[.]example' });
  const member = (who: string, ...joins: Joins[]) => account(t, who, joins);
  const staff = { home: ELSEWHERE, names: PARENT, holds: held('support') };
  const desk = { organization: ELSEWHERE, roles: ['support'] };
  const allowed = await member('support staff who may change things', desk);
  await t.with(allowed.bearer).client(SupportService).allowChanges({ organization: PARENT });
  const personalOfStaff = await member('owner of a PERSONAL token of support staff', desk);
  const people: Person[] = [
    { who: 'nobody', bearer: undefined, unknown: true, holds: new Set() },
    { ...(await member('a newcomer')), holds: held() },
  ];
  for (const role of ['viewer', 'operator', 'developer', 'installer', 'administrator']) {
    const somebody = await member(`a member who is ${role}`, { organization: PARENT, roles: [role] });
    people.push({ ...somebody, home: PARENT, holds: held(role) });
  }
  people.push(
    {
      ...(await member('a member of two roles', { organization: PARENT, roles: ['viewer', 'installer'] })),
      home: PARENT,
      holds: held('viewer', 'installer'),
    },
    {
      ...(await member('an administrator who tries out viewer', {
        organization: PARENT,
        roles: ['administrator'],
        tries: ['viewer'],
      })),
      home: PARENT,
      holds: held('viewer'),
    },
    {
      // They tried it out while they held more.
      ...(await member('a viewer who tries out administrator', {
        organization: PARENT,
        roles: ['viewer'],
        tries: ['administrator'],
      })),
      home: PARENT,
      holds: held('viewer'),
    },
    {
      ...(await member('the administrator of a parent organization', {
        organization: PARENT,
        roles: ['administrator'],
      })),
      home: PARENT,
      names: CHILD,
      holds: held('administrator'),
    },
    {
      ...(await member('the administrator of a child organization', { organization: CHILD, roles: ['administrator'] })),
      home: CHILD,
      names: PARENT,
      outOfReach: true,
      holds: held('administrator'),
    },
    {
      ...(await member('the administrator of another tenant', {
        organization: BELOW_STRICT,
        roles: ['administrator'],
      })),
      home: BELOW_STRICT,
      names: PARENT,
      outOfReach: true,
      holds: held('administrator'),
    },
    {
      ...(await member('a suspended member', { organization: PARENT, roles: ['administrator'], suspendedAt: now })),
      unknown: true,
      holds: new Set(),
    },
    {
      ...(await member('a member whom a rule bars', { organization: STRICT, roles: ['administrator'] })),
      home: STRICT,
      barred: '"strict" takes only addresses that match',
      holds: held(),
    },
    {
      ...(await member(
        'a viewer below where a rule bars them',
        { organization: BELOW_STRICT, roles: ['viewer'] },
        { organization: STRICT, roles: ['administrator'] },
      )),
      home: BELOW_STRICT,
      holds: held('viewer'),
    },
    {
      ...(await member(
        'support staff whom a rule bars, elsewhere a viewer',
        { organization: BELOW_STRICT, roles: ['viewer'] },
        { organization: STRICT, roles: ['support'] },
      )),
      home: BELOW_STRICT,
      holds: held('viewer'),
    },
    { ...(await member('support staff who only read', desk)), onlyReads: true, ...staff },
    { ...allowed, ...staff },
    {
      who: 'a PERSONAL token of support staff',
      bearer: await apiToken(t, idOf(personalOfStaff.who), { organization: ELSEWHERE, type: Token_Type.PERSONAL }),
      onlyReads: true,
      ...staff,
    },
  );
  return [...people, ...(await tokens(t, member))];
}

async function tokens(t: TestServer, member: (who: string, ...joins: Joins[]) => Promise<Owner>): Promise<Person[]> {
  const owner = async (who: string, more: Partial<Joins> = {}) =>
    idOf((await member(`owner of ${who}`, { organization: PARENT, roles: ['administrator'], ...more })).who);
  const all = { organizationPermissions: numbers(organizationPermissions), userPermissions: numbers(userPermissions) };
  const everything = new Set([...organizationPermissions, ...userPermissions]);
  const deleted = await owner('a deleted account');
  await t.app.db.orm.update(appUser).set({ deletedAt: t.app.now() }).where(eq(appUser.id, deleted));
  const rows: [string, string, TokenRow, Omit<Person, 'who' | 'bearer'>][] = [
    ['a token with nothing', await owner('a token with nothing'), {}, { home: PARENT, holds: new Set() }],
    [
      'a token with two permissions',
      await owner('two'),
      { organizationPermissions: numbers(['MODEMS', 'TAGS_MANAGE']) },
      { home: PARENT, names: CHILD, holds: new Set(['MODEMS', 'TAGS_MANAGE']) },
    ],
    [
      'a token with a role',
      await owner('a role'),
      { roles: ['viewer'] },
      { home: PARENT, holds: new Set(expectedRoles['viewer']?.organization) },
    ],
    ['a token with everything', await owner('everything'), all, { home: PARENT, names: CHILD, holds: everything }],
    [
      'a token that names another tenant',
      await owner('reaching far'),
      all,
      { home: PARENT, names: BELOW_STRICT, outOfReach: true, holds: everything },
    ],
    [
      'a token of a suspended member',
      await owner('a suspended one', { suspendedAt: t.app.now() }),
      all,
      { home: PARENT, holds: everything },
    ],
    [
      'a token with everything of support staff',
      await owner('staff', { organization: ELSEWHERE, roles: ['support'] }),
      { ...all, organization: ELSEWHERE },
      { home: ELSEWHERE, names: PARENT, outOfReach: true, holds: everything },
    ],
    [
      'a token limited in impersonation',
      await owner('a limit'),
      { type: Token_Type.PERSONAL, limitImpersonation: { includeAll: false, include: [], exclude: [] } },
      { home: PARENT, names: CHILD, outOfReach: true, holds: held('administrator') },
    ],
    [
      'a PERSONAL token of somebody who tries out viewer',
      await owner('an override', { tries: ['viewer'] }),
      { type: Token_Type.PERSONAL },
      { home: PARENT, holds: held('viewer') },
    ],
    [
      'an expired token',
      await owner('an hour ago'),
      { ...all, expiresAt: new Date(t.app.now().getTime() - HOUR) },
      { unknown: true, holds: new Set() },
    ],
    ['a token of a deleted account', deleted, all, { unknown: true, holds: new Set() }],
  ];
  return Promise.all(
    rows.map(async ([who, userId, row, more]) => ({ who, bearer: await apiToken(t, userId, row), ...more })),
  );
}

/**
 * For one rpc: tokens with all that it takes, with that and all else but one permission, and with exactly that less
 * one.
 */
export async function tokensAround(t: TestServer, rpc: string, mustHold: readonly string[]): Promise<Person[]> {
  const grantable = mustHold.filter((name) => numberOf(name) !== undefined);
  const everything = [...organizationPermissions, ...userPermissions];
  const sets: [string, string[]][] = [
    ['a token with exactly what it takes', grantable],
    ...grantable.flatMap((lacks): [string, string[]][] => [
      [`a token with everything but ${lacks}`, everything.filter((name) => name !== lacks && !gives(name, lacks))],
      [`a token with what it takes but ${lacks}`, grantable.filter((name) => name !== lacks && !gives(name, lacks))],
    ]),
  ];
  const people: Person[] = [];
  for (const [who, names] of sets) {
    const owner = await account(t, `${rpc} ${who}`, [{ organization: PARENT, roles: ['administrator'] }]);
    const bearer = await apiToken(t, idOf(owner.who), {
      organizationPermissions: numbers(names.filter((name) => name in OrganizationPermission)),
      userPermissions: numbers(names.filter((name) => name in UserPermission)),
    });
    const holds = new Set(names.flatMap((name) => [name, ...(included[name] ?? [])]));
    people.push({ who, bearer, home: PARENT, holds });
  }
  return people;
}

const gives = (name: string, value: string): boolean => included[name]?.includes(value) ?? false;
function numberOf(name: string): number | undefined {
  if (name in OrganizationPermission) return OrganizationPermission[name as keyof typeof OrganizationPermission];
  return name in UserPermission ? UserPermission[name as keyof typeof UserPermission] : undefined;
}
const numbers = (names: readonly string[]): number[] => names.flatMap((name) => numberOf(name) ?? []);

type TokenRow = Partial<typeof token.$inferInsert>;
let made = 0;

async function apiToken(t: TestServer, userId: string, row: TokenRow): Promise<string> {
  const id = 1_000_000 + made++;
  const bearer = `qd_${id}`.padEnd(46, 'x');
  await t.app.db.orm.insert(token).values({
    organization: PARENT,
    id,
    name: `Token ${id}`,
    userId,
    hash: hashOfApiToken(bearer),
    type: Token_Type.SPECIFIC,
    ...row,
  });
  return bearer;
}

const idOf = (who: string): string => who.toLowerCase().replaceAll(/[^a-z]+/g, '-');

interface Owner {
  readonly who: string;
  readonly bearer: string;
}

/** Somebody new, whose first membership is where they act. */
async function account(t: TestServer, who: string, joins: Joins[]): Promise<Owner> {
  const id = idOf(who);
  const identity = { id, email: `${id}@example.com`, name: who };
  const { orm } = t.app.db;
  await orm.insert(appUser).values({ ...identity, defaultOrganization: joins[0]?.organization ?? null });
  if (joins.length > 0) {
    const rows = joins.map(({ organization: joined, roles, suspendedAt = null }) => ({
      organization: joined,
      roles,
      suspendedAt,
    }));
    await orm.insert(membership).values(rows.map((row) => ({ ...row, userId: id })));
  }
  const tried = joins.flatMap(({ organization: joined, tries }) =>
    tries ? [{ organization: joined, roles: tries }] : [],
  );
  if (tried.length > 0) await orm.insert(roleOverride).values(tried.map((row) => ({ ...row, userId: id })));
  return { who, bearer: idTokenOf(identity) };
}
