import { create } from '@bufbuild/protobuf';
import { createContextValues, type HandlerContext } from '@connectrpc/connect';
import { describe, expect, test } from 'vitest';

import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { policyOf } from '#server/http/rpc/policy-of.ts';
import { permissionsOfRoles } from '#server/policies/roles.ts';
import { organizationNamedIn } from '#server/policies/rpcs.ts';

import { accessIn } from './access.ts';
import { createScope, permissionDenied, scope, scopeIfAny, scopeKey, session, sessionKey } from './scope.ts';
import type { Membership, Session } from './session.ts';
import { readCaller, signInId } from './sign-ins.ts';

const member = (organization: string, roles: string[], blockedReason?: string): Membership => ({
  organization,
  path: [organization],
  roles,
  blockedReason,
});
const createSession = (overrides: Partial<Session>): Session =>
  ({
    user: { id: 'ana' },
    memberships: [],
    overrides: new Map(),
    userPermissions: new Set(),
    supportPermissions: new Set(),
    ...overrides,
  }) as unknown as Session;
const staff = { supportPermissions: new Set(['CUSTOMER_SUPPORT']) } as Partial<Session>;
const specificToken = (roles: string[], organizationPermissions: number[]) =>
  ({ token: { type: Token_Type.SPECIFIC, roles, organizationPermissions } }) as unknown as Partial<Session>;

describe("a user's access to an organization", () => {
  const path = ['top', 'here'];
  const accessOf = (overrides: Partial<Session>) => accessIn(createSession(overrides), 'here', path);

  test('combines the roles of memberships in it and in its ancestors, without duplicates', () => {
    const memberships = [
      member('elsewhere', ['administrator']),
      member('here', ['installer', 'viewer']),
      member('top', ['viewer']),
    ];
    expect(accessOf({ memberships })).toEqual({
      roles: ['installer', 'viewer'],
      permissions: permissionsOfRoles(['installer', 'viewer']),
      isSupportAccess: false,
    });
    expect(accessOf({})).toEqual({ roles: [], permissions: new Set(), isSupportAccess: false });
  });

  test('excludes memberships barred by a rule', () => {
    const memberships = [member('top', ['administrator'], 'a rule'), member('here', ['viewer'])];
    expect(accessOf({ memberships }).roles).toEqual(['viewer']);
  });

  test('is the support role for staff without a membership there', () => {
    const support = { roles: ['support'], permissions: permissionsOfRoles(['support']), isSupportAccess: true };
    expect(accessOf(staff)).toEqual(support);
    expect(accessOf({ ...staff, memberships: [member('elsewhere', ['viewer'])] })).toEqual(support);
    expect(accessOf({ ...staff, memberships: [member('here', ['viewer'], 'a rule')] })).toEqual(support);
    expect(accessOf({ ...staff, memberships: [member('top', ['viewer'])] })).toMatchObject({
      roles: ['viewer'],
      isSupportAccess: false,
    });
  });

  test('is what a SPECIFIC token lists, not what its owner holds', () => {
    const { MODEMS_UPDATE } = OrganizationPermission;
    const owner = { ...staff, memberships: [member('here', ['administrator'])] };
    expect(accessOf({ ...owner, ...specificToken([], [MODEMS_UPDATE]) })).toEqual({
      roles: [],
      permissions: new Set(['MODEMS_UPDATE', 'MODEMS']),
      isSupportAccess: false,
    });
    const viewer = permissionsOfRoles(['viewer']);
    expect(accessOf({ ...owner, ...specificToken(['viewer'], [MODEMS_UPDATE]) })).toEqual({
      roles: ['viewer'],
      permissions: new Set([...viewer, 'MODEMS_UPDATE', 'MODEMS']),
      isSupportAccess: false,
    });
  });

  test('is limited only by a role override in that organization', () => {
    const memberships = [member('here', ['viewer'])];
    const accessWithOverride = (organization: string, roles: string[]) =>
      accessOf({ memberships, overrides: new Map([[organization, roles]]) });
    expect(accessWithOverride('here', ['administrator'])).toEqual({
      roles: ['administrator'],
      permissions: permissionsOfRoles(['viewer']),
      isSupportAccess: false,
    });
    expect(accessWithOverride('here', [])).toEqual({ roles: [], permissions: new Set(), isSupportAccess: false });
    expect(accessWithOverride('top', []).roles).toEqual(['viewer']);
  });
});

describe('the permissions in a call', () => {
  const scopeWith = createScope(
    createSession({
      userPermissions: new Set(['READ']),
      supportPermissions: new Set(['CUSTOMER_SUPPORT']),
    }),
    'acme',
    { roles: ['viewer'], permissions: new Set(['MODEMS']), isSupportAccess: true },
  );

  test('combine organization, user, and support permissions', () => {
    expect((['MODEMS', 'READ', 'CUSTOMER_SUPPORT', 'USERS', 'UPDATE'] as const).map(scopeWith.can)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(() => scopeWith.require('MODEMS')).not.toThrow();
    expect(() => scopeWith.require('USERS')).toThrow('the USERS permission in organization "acme"');
    expect(permissionDenied('READ', undefined).rawMessage).toBe('You need the READ permission to do this.');
  });

  test('are available only to services with a session', () => {
    const values = createContextValues();
    const context = { method: { name: 'List' }, values } as unknown as HandlerContext;
    expect(() => session(context)).toThrow('List was called without a session');
    expect(() => scope(context)).toThrow('List was called without an organization');
    expect(scopeIfAny(context)).toBeUndefined();
    values.set(sessionKey, scopeWith.session);
    values.set(scopeKey, scopeWith);
    expect([session(context), scope(context), scopeIfAny(context)]).toEqual([scopeWith.session, scopeWith, scopeWith]);
  });
});

describe('the organization named in a request', () => {
  const { list, grouped } = ModemService.method;
  const organizationOf = (method: typeof list | typeof grouped, request: object) =>
    organizationNamedIn(policyOf(method), method, create(method.input, request));

  test('is its organization field, or undefined if empty or missing', () => {
    expect(organizationOf(list, { organization: 'acme' })).toBe('acme');
    expect(organizationOf(list, { organization: '' })).toBeUndefined();
    expect(organizationOf(list, {})).toBeUndefined();
    const { validateCreationToken } = OrganizationService.method;
    const request = create(validateCreationToken.input, {});
    expect(organizationNamedIn(policyOf(validateCreationToken), validateCreationToken, request)).toBeUndefined();
  });

  test('is the parent when creating or deleting, or named in either part of a request', () => {
    const { create: createOrganization, delete: deleteOrganization } = OrganizationService.method;
    expect(
      organizationNamedIn(
        policyOf(createOrganization),
        createOrganization,
        create(createOrganization.input, { parentOrganization: 'acme' }),
      ),
    ).toBe('acme');
    expect(
      organizationNamedIn(
        policyOf(deleteOrganization),
        deleteOrganization,
        create(deleteOrganization.input, { parentOrganization: 'acme' }),
      ),
    ).toBe('acme');
    expect(organizationOf(grouped, { groups: { organization: 'one' }, groupContent: { organization: 'two' } })).toBe(
      'one',
    );
    expect(organizationOf(grouped, { groupContent: { organization: 'two' } })).toBe('two');
    expect(organizationOf(grouped, { groups: {} })).toBeUndefined();
  });
});

describe('a sign-in', () => {
  const identity = { authenticatedAt: new Date(0), provider: 'password', secondFactor: false } as Parameters<
    typeof signInId
  >[0];

  test('is identified by its time, provider, and second factor', () => {
    const ids = [
      identity,
      { ...identity, authenticatedAt: new Date(1000) },
      { ...identity, provider: 'google.com' },
      { ...identity, secondFactor: true },
    ].map(signInId);
    expect(new Set(ids).size).toBe(4);
    expect(signInId({ ...identity, email: 'new@example.com' })).toBe(ids[0]);
  });

  test("records the client's name, version, and browser, each truncated", () => {
    const headers = { 'x-client-name': 'console', 'x-client-version': '1.2', 'user-agent': 'Firefox' };
    expect(readCaller(new Headers(headers))).toEqual({ client: 'console', version: '1.2', userAgent: 'Firefox' });
    expect(readCaller(new Headers())).toEqual({ client: '', version: '', userAgent: '' });
    const longHeaders = Object.fromEntries(Object.keys(headers).map((name) => [name, 'x'.repeat(500)]));
    expect(Object.values(readCaller(new Headers(longHeaders))).map(({ length }) => length)).toEqual([100, 100, 400]);
  });
});
