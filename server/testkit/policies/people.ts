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
  who: string;
  bearer: string | undefined;
  /** Whoever they are, they are not let in. */
  unknown?: boolean;
  /** Where they act when a request names no organization; undefined when nowhere. */
  home?: string;
  /** The organization that their requests name, where they can. */
  names?: string;
  /** What they name is out of their reach. */
  outOfReach?: boolean;
  /** A sign-in rule keeps them out of wherever they would act. */
  barred?: string;
  /** In what they name they act as support staff, and may not change anything yet. */
  onlyReads?: boolean;
  holds: ReadonlySet<string>;
}

const hour = 3600 * 1000;
const parent = 'northwind';
const child = 'northwind-north';
const elsewhere = 'quarterdeck';
/** An organization that takes only addresses nobody has, and one below it. */
const strict = 'strict';
const belowStrict = 'strict-below';

const held = (...roles: string[]): ReadonlySet<string> =>
  new Set([
    ...roles.flatMap((role) => [...(expectedRoles[role]?.organization ?? []), ...(expectedRoles[role]?.support ?? [])]),
    ...userPermissions,
  ]);

interface Joins {
  organization: string;
  roles: string[];
  suspendedAt?: Date;
  /** Roles that they try out there. */
  tries?: string[];
}

/** Everybody there is, each with an account of their own, so that what one does to themselves touches nobody else. */
export async function everybody(t: TestServer): Promise<Person[]> {
  const now = t.app.now();
  await t.app.db.orm.insert(organization).values([
    { id: strict, path: [strict], displayName: 'Strict' },
    { id: belowStrict, parent: strict, path: [strict, belowStrict], displayName: 'Below' },
  ]);
  await t.app.db.orm.insert(userValidation).values({ organization: strict, emailRegex: '.*@strict[.]example' });
  const member = (who: string, ...joins: Joins[]) => account(t, who, joins);
  const staff = { home: elsewhere, names: parent, holds: held('support') };
  const desk = { organization: elsewhere, roles: ['support'] };
  const allowed = await member('support staff who may change things', desk);
  await t.with(allowed.bearer).client(SupportService).allowChanges({ organization: parent });
  const personalOfStaff = await member('owner of a PERSONAL token of support staff', desk);
  const people: Person[] = [
    { who: 'nobody', bearer: undefined, unknown: true, holds: new Set() },
    { ...(await member('a newcomer')), holds: held() },
  ];
  for (const role of ['viewer', 'operator', 'developer', 'installer', 'administrator']) {
    const somebody = await member(`a member who is ${role}`, { organization: parent, roles: [role] });
    people.push({ ...somebody, home: parent, holds: held(role) });
  }
  people.push(
    {
      ...(await member('a member of two roles', { organization: parent, roles: ['viewer', 'installer'] })),
      home: parent,
      holds: held('viewer', 'installer'),
    },
    {
      ...(await member('an administrator who tries out viewer', {
        organization: parent,
        roles: ['administrator'],
        tries: ['viewer'],
      })),
      home: parent,
      holds: held('viewer'),
    },
    {
      // They tried it out while they held more.
      ...(await member('a viewer who tries out administrator', {
        organization: parent,
        roles: ['viewer'],
        tries: ['administrator'],
      })),
      home: parent,
      holds: held('viewer'),
    },
    {
      ...(await member('the administrator of a parent organization', {
        organization: parent,
        roles: ['administrator'],
      })),
      home: parent,
      names: child,
      holds: held('administrator'),
    },
    {
      ...(await member('the administrator of a child organization', { organization: child, roles: ['administrator'] })),
      home: child,
      names: parent,
      outOfReach: true,
      holds: held('administrator'),
    },
    {
      ...(await member('the administrator of another tenant', { organization: belowStrict, roles: ['administrator'] })),
      home: belowStrict,
      names: parent,
      outOfReach: true,
      holds: held('administrator'),
    },
    {
      ...(await member('a suspended member', { organization: parent, roles: ['administrator'], suspendedAt: now })),
      unknown: true,
      holds: new Set(),
    },
    {
      ...(await member('a member whom a rule bars', { organization: strict, roles: ['administrator'] })),
      home: strict,
      barred: '"strict" takes only addresses that match',
      holds: held(),
    },
    {
      ...(await member(
        'a viewer below where a rule bars them',
        { organization: belowStrict, roles: ['viewer'] },
        { organization: strict, roles: ['administrator'] },
      )),
      home: belowStrict,
      holds: held('viewer'),
    },
    {
      ...(await member(
        'support staff whom a rule bars, elsewhere a viewer',
        { organization: belowStrict, roles: ['viewer'] },
        { organization: strict, roles: ['support'] },
      )),
      home: belowStrict,
      holds: held('viewer'),
    },
    { ...(await member('support staff who only read', desk)), onlyReads: true, ...staff },
    { ...allowed, ...staff },
    {
      who: 'a PERSONAL token of support staff',
      bearer: await apiToken(t, idOf(personalOfStaff.who), { organization: elsewhere, type: Token_Type.PERSONAL }),
      onlyReads: true,
      ...staff,
    },
  );
  return [...people, ...(await tokens(t, member))];
}

async function tokens(t: TestServer, member: (who: string, ...joins: Joins[]) => Promise<Owner>): Promise<Person[]> {
  const owner = async (who: string, more: Partial<Joins> = {}) =>
    idOf((await member(`owner of ${who}`, { organization: parent, roles: ['administrator'], ...more })).who);
  const all = { organizationPermissions: numbers(organizationPermissions), userPermissions: numbers(userPermissions) };
  const everything = new Set([...organizationPermissions, ...userPermissions]);
  const deleted = await owner('a deleted account');
  await t.app.db.orm.update(appUser).set({ deletedAt: t.app.now() }).where(eq(appUser.id, deleted));
  const rows: [string, string, TokenRow, Omit<Person, 'who' | 'bearer'>][] = [
    ['a token with nothing', await owner('a token with nothing'), {}, { home: parent, holds: new Set() }],
    [
      'a token with two permissions',
      await owner('two'),
      { organizationPermissions: numbers(['MODEMS', 'TAGS_MANAGE']) },
      { home: parent, names: child, holds: new Set(['MODEMS', 'TAGS_MANAGE']) },
    ],
    [
      'a token with a role',
      await owner('a role'),
      { roles: ['viewer'] },
      { home: parent, holds: new Set(expectedRoles['viewer']?.organization) },
    ],
    ['a token with everything', await owner('everything'), all, { home: parent, names: child, holds: everything }],
    [
      'a token that names another tenant',
      await owner('reaching far'),
      all,
      { home: parent, names: belowStrict, outOfReach: true, holds: everything },
    ],
    [
      'a token of a suspended member',
      await owner('a suspended one', { suspendedAt: t.app.now() }),
      all,
      { home: parent, holds: everything },
    ],
    [
      'a token with everything of support staff',
      await owner('staff', { organization: elsewhere, roles: ['support'] }),
      { ...all, organization: elsewhere },
      { home: elsewhere, names: parent, outOfReach: true, holds: everything },
    ],
    [
      'a token limited in impersonation',
      await owner('a limit'),
      { type: Token_Type.PERSONAL, limitImpersonation: { includeAll: false, include: [], exclude: [] } },
      { home: parent, names: child, outOfReach: true, holds: held('administrator') },
    ],
    [
      'a PERSONAL token of somebody who tries out viewer',
      await owner('an override', { tries: ['viewer'] }),
      { type: Token_Type.PERSONAL },
      { home: parent, holds: held('viewer') },
    ],
    [
      'an expired token',
      await owner('an hour ago'),
      { ...all, expiresAt: new Date(t.app.now().getTime() - hour) },
      { unknown: true, holds: new Set() },
    ],
    ['a token of a deleted account', deleted, all, { unknown: true, holds: new Set() }],
  ];
  return Promise.all(
    rows.map(async ([who, userId, row, more]) => ({ who, bearer: await apiToken(t, userId, row), ...more })),
  );
}

/** For one rpc: tokens with all that it takes, with that and all else but one permission, and with exactly that less one. */
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
    const owner = await account(t, `${rpc} ${who}`, [{ organization: parent, roles: ['administrator'] }]);
    const bearer = await apiToken(t, idOf(owner.who), {
      organizationPermissions: numbers(names.filter((name) => name in OrganizationPermission)),
      userPermissions: numbers(names.filter((name) => name in UserPermission)),
    });
    const holds = new Set(names.flatMap((name) => [name, ...(included[name] ?? [])]));
    people.push({ who, bearer, home: parent, holds });
  }
  return people;
}

const gives = (name: string, other: string): boolean => included[name]?.includes(other) ?? false;
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
    organization: parent,
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
  who: string;
  bearer: string;
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
