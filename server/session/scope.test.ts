import { create } from '@bufbuild/protobuf';
import { createContextValues, type HandlerContext } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { permissionsOfRoles } from '#server/policies/roles.ts';
import { accessIn } from './access.ts';
import { policyOf } from '#server/http/rpc/policies.ts';
import { organizationNamedIn } from '#server/policies/rpcs.ts';
import { createScope, permissionDenied, scope, scopeIfAny, scopeKey, session, sessionKey } from './scope.ts';
import type { Membership, Session } from './session.ts';
import { callerOf, signInId } from './sign-ins.ts';

const member = (organization: string, roles: string[], barred?: string): Membership => ({
  organization,
  roles,
  barred,
});
const sessionOf = (more: Partial<Session>): Session =>
  ({
    user: { id: 'ana' },
    memberships: [],
    overrides: new Map(),
    userPermissions: new Set(),
    supportPermissions: new Set(),
    ...more,
  }) as unknown as Session;
const staff = { supportPermissions: new Set(['CUSTOMER_SUPPORT']) } as Partial<Session>;
const specific = (roles: string[], organizationPermissions: number[]) =>
  ({ token: { type: Token_Type.SPECIFIC, roles, organizationPermissions } }) as unknown as Partial<Session>;

describe('what somebody holds in an organization', () => {
  const path = ['top', 'here'];
  const held = (more: Partial<Session>) => accessIn(sessionOf(more), 'here', path);

  it('is what the memberships in it and above it give, each role once, and none from elsewhere', () => {
    const memberships = [
      member('elsewhere', ['administrator']),
      member('here', ['installer', 'viewer']),
      member('top', ['viewer']),
    ];
    expect(held({ memberships })).toEqual({
      roles: ['installer', 'viewer'],
      permissions: permissionsOfRoles(['installer', 'viewer']),
      supporting: false,
    });
    expect(held({})).toEqual({ roles: [], permissions: new Set(), supporting: false });
  });

  it('is nothing by a membership that a rule bars', () => {
    const memberships = [member('top', ['administrator'], 'a rule'), member('here', ['viewer'])];
    expect(held({ memberships }).roles).toEqual(['viewer']);
  });

  it('is the support role for staff whom no membership lets in, and what it gives where one does', () => {
    const support = { roles: ['support'], permissions: permissionsOfRoles(['support']), supporting: true };
    expect(held(staff)).toEqual(support);
    expect(held({ ...staff, memberships: [member('elsewhere', ['viewer'])] })).toEqual(support);
    expect(held({ ...staff, memberships: [member('here', ['viewer'], 'a rule')] })).toEqual(support);
    expect(held({ ...staff, memberships: [member('top', ['viewer'])] })).toMatchObject({
      roles: ['viewer'],
      supporting: false,
    });
  });

  it('is what a SPECIFIC token lists, by role or by permission, whatever its owner is', () => {
    const { MODEMS_UPDATE } = OrganizationPermission;
    const owner = { ...staff, memberships: [member('here', ['administrator'])] };
    expect(held({ ...owner, ...specific([], [MODEMS_UPDATE]) })).toEqual({
      roles: [],
      permissions: new Set(['MODEMS_UPDATE', 'MODEMS']),
      supporting: false,
    });
    const viewer = permissionsOfRoles(['viewer']);
    expect(held({ ...owner, ...specific(['viewer'], [MODEMS_UPDATE]) })).toEqual({
      roles: ['viewer'],
      permissions: new Set([...viewer, 'MODEMS_UPDATE', 'MODEMS']),
      supporting: false,
    });
  });

  it('is what is tried out there, as far as it is held, and what is held elsewhere', () => {
    const memberships = [member('here', ['viewer'])];
    const tried = (where: string, roles: string[]) => held({ memberships, overrides: new Map([[where, roles]]) });
    expect(tried('here', ['administrator'])).toEqual({
      roles: ['administrator'],
      permissions: permissionsOfRoles(['viewer']),
      supporting: false,
    });
    expect(tried('here', [])).toEqual({ roles: [], permissions: new Set(), supporting: false });
    expect(tried('top', []).roles).toEqual(['viewer']);
  });
});

describe('the rights of a call', () => {
  const of = createScope(
    sessionOf({
      userPermissions: new Set(['READ']),
      supportPermissions: new Set(['CUSTOMER_SUPPORT']),
    }),
    'acme',
    { roles: ['viewer'], permissions: new Set(['MODEMS']), supporting: true },
  );

  it('are those in the organization, those about oneself, and those of staff', () => {
    expect((['MODEMS', 'READ', 'CUSTOMER_SUPPORT', 'USERS', 'UPDATE'] as const).map(of.can)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(() => of.require('MODEMS')).not.toThrow();
    expect(() => of.require('USERS')).toThrow('the permission USERS in organization "acme"');
    expect(permissionDenied('READ', undefined).rawMessage).toBe(
      'This needs the permission READ, which you do not hold.',
    );
  });

  it('are found by services that were let in, and by no others', () => {
    const values = createContextValues();
    const context = { method: { name: 'List' }, values } as unknown as HandlerContext;
    expect(() => session(context)).toThrow('List was called without a session');
    expect(() => scope(context)).toThrow('List was called without an organization');
    expect(scopeIfAny(context)).toBeUndefined();
    values.set(sessionKey, of.session);
    values.set(scopeKey, of);
    expect([session(context), scope(context), scopeIfAny(context)]).toEqual([of.session, of, of]);
  });
});

describe('the organization that a request names', () => {
  const { list, grouped } = ModemService.method;
  const named = (method: typeof list | typeof grouped, request: object) =>
    organizationNamedIn(policyOf(method), method, create(method.input, request));

  it('is in its field, and nowhere when the field is empty or not there', () => {
    expect(named(list, { organization: 'acme' })).toBe('acme');
    expect(named(list, { organization: '' })).toBeUndefined();
    expect(named(list, {})).toBeUndefined();
    const { validateCreationToken } = OrganizationService.method;
    const request = create(validateCreationToken.input, {});
    expect(organizationNamedIn(policyOf(validateCreationToken), validateCreationToken, request)).toBeUndefined();
  });

  it('is the parent of one that is made or deleted, and in either part of a request in two', () => {
    const { create: make, delete: remove } = OrganizationService.method;
    expect(organizationNamedIn(policyOf(make), make, create(make.input, { parentOrganization: 'acme' }))).toBe('acme');
    expect(organizationNamedIn(policyOf(remove), remove, create(remove.input, { parentOrganization: 'acme' }))).toBe(
      'acme',
    );
    expect(named(grouped, { groups: { organization: 'one' }, groupContent: { organization: 'two' } })).toBe('one');
    expect(named(grouped, { groupContent: { organization: 'two' } })).toBe('two');
    expect(named(grouped, { groups: {} })).toBeUndefined();
  });
});

describe('a sign-in', () => {
  const identity = { authenticatedAt: new Date(0), provider: 'password', secondFactor: false } as Parameters<
    typeof signInId
  >[0];

  it('is told from others by its time, its way and its second factor', () => {
    const ids = [
      identity,
      { ...identity, authenticatedAt: new Date(1000) },
      { ...identity, provider: 'google.com' },
      { ...identity, secondFactor: true },
    ].map(signInId);
    expect(new Set(ids).size).toBe(4);
    expect(signInId({ ...identity, email: 'new@example.com' })).toBe(ids[0]);
  });

  it('is of a program that tells its name, its version and its browser, all of a bounded length', () => {
    const headers = { 'x-client-name': 'console', 'x-client-version': '1.2', 'user-agent': 'Firefox' };
    expect(callerOf(new Headers(headers))).toEqual({ client: 'console', version: '1.2', userAgent: 'Firefox' });
    expect(callerOf(new Headers())).toEqual({ client: '', version: '', userAgent: '' });
    const long = Object.fromEntries(Object.keys(headers).map((name) => [name, 'x'.repeat(500)]));
    expect(Object.values(callerOf(new Headers(long))).map(({ length }) => length)).toEqual([100, 100, 400]);
  });
});
