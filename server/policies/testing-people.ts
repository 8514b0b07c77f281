import { OrganizationPermission } from '#proto/hiber/permission_pb';
import { Token_Type, TokenService } from '#proto/hiber/token_pb';
import { SupportService } from '#proto/quarterdeck/support/v1/support_service_pb';
import { appUser, membership } from '../db/schema/user.ts';
import { idTokenOf, type TestServer } from '../testing.ts';
import { userPermissionNames } from './permissions.ts';
import { permissionsOfRoles, type RoleIdentifier, supportPermissionsOfRoles } from './roles.ts';

/** A kind of caller, with what follows for them from the rules, found in another way than the server finds it. */
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
  /** In what they name they act as support staff, and may not change anything yet. */
  onlyReads?: boolean;
  holds: ReadonlySet<string>;
}

const hour = 3600 * 1000;
const parent = 'northwind';
const child = 'northwind-north';
const elsewhere = 'quarterdeck';

const allOf = (...roles: RoleIdentifier[]): ReadonlySet<string> =>
  new Set([...permissionsOfRoles(roles), ...supportPermissionsOfRoles(roles), ...userPermissionNames]);

/** Everybody there is, each with an account of their own, so that what one does to themselves touches nobody else. */
export async function everybody(t: TestServer): Promise<Person[]> {
  const member = (who: string, role?: RoleIdentifier, organization = parent, suspendedAt?: Date) =>
    signedIn(t, who, role, organization, suspendedAt);
  const staff = { home: elsewhere, names: parent, holds: allOf('support') };
  // First, as the clock leaps for the expired one, and a visit only lasts an hour.
  const machines = await tokens(t, await member('owner of tokens', 'administrator'));
  const allowed = await member('support staff who may change things', 'support', elsewhere);
  await t.with(allowed).client(SupportService).allowChanges({ organization: parent });
  return [
    { who: 'nobody', bearer: undefined, unknown: true, holds: new Set() },
    { who: 'a newcomer', bearer: await member('a newcomer'), holds: allOf() },
    ...(await Promise.all(
      (['viewer', 'operator', 'developer', 'installer', 'administrator'] as const).map(async (role) => ({
        who: `a member who is ${role}`,
        bearer: await member(role, role),
        home: parent,
        holds: allOf(role),
      })),
    )),
    {
      who: 'the administrator of a parent organization',
      bearer: await member('parent', 'administrator'),
      home: parent,
      names: child,
      holds: allOf('administrator'),
    },
    {
      who: 'the administrator of another organization',
      bearer: await member('stranger', 'administrator', 'northwind-permian'),
      home: 'northwind-permian',
      names: parent,
      outOfReach: true,
      holds: allOf('administrator'),
    },
    {
      who: 'a suspended member',
      bearer: await member('suspended', 'administrator', parent, t.app.now()),
      unknown: true,
      holds: new Set(),
    },
    {
      who: 'support staff who only read',
      bearer: await member('support staff', 'support', elsewhere),
      onlyReads: true,
      ...staff,
    },
    { who: 'support staff who may change things', bearer: allowed, ...staff },
    ...machines,
  ];
}

async function tokens(t: TestServer, owner: string): Promise<Person[]> {
  const make = async (name: string, more: object = {}) =>
    (
      await t
        .with(owner)
        .client(TokenService)
        .create({ name, ...more })
    ).token;
  const expiresAt = { textual: new Date(t.app.now().getTime() + hour).toISOString() };
  const listed = [OrganizationPermission.MODEMS, OrganizationPermission.TAGS_MANAGE];
  const expired = await make('expired', { expiresAt });
  t.advance(2 * hour);
  return [
    { who: 'a token with nothing', bearer: await make('nothing'), home: parent, holds: new Set() },
    {
      who: 'a token with two permissions',
      bearer: await make('two', { organizationPermissions: { include: listed } }),
      home: parent,
      names: child,
      holds: new Set(['MODEMS', 'TAGS_MANAGE']),
    },
    {
      who: 'a token limited in impersonation',
      bearer: await make('limited', { type: Token_Type.PERSONAL, limitImpersonation: {} }),
      home: parent,
      names: child,
      outOfReach: true,
      holds: allOf('administrator'),
    },
    { who: 'an expired token', bearer: expired, unknown: true, holds: new Set() },
  ];
}

/** Somebody new, with an ID token that outlives the clock's leaps. */
async function signedIn(
  t: TestServer,
  who: string,
  role: RoleIdentifier | undefined,
  organization: string,
  suspendedAt: Date | undefined,
): Promise<string> {
  const id = who.replaceAll(' ', '-');
  const identity = { id, email: `${id}@example.com`, name: who };
  await t.app.db.orm.insert(appUser).values({ ...identity, defaultOrganization: role ? organization : null });
  if (role !== undefined) {
    await t.app.db.orm.insert(membership).values({ organization, userId: id, roles: [role], suspendedAt });
  }
  return idTokenOf({ ...identity, lifetime: 24 * 3600 });
}
