import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { abilities, type Ability, permissionOf } from '#commands/core/ability';
import type { PersonKind } from '../db/seed/people.ts';
import { emptyCall, startTestServer, type TestServer, transportFor } from '../testing.ts';
import { organizationPermissionNames, supportPermissionNames, userPermissionNames } from './permissions.ts';
import { lacking, overridden, policyOf, rpcName } from './policy.ts';
import { permissionsOfRoles, roles } from './roles.ts';

const modules = import.meta.glob<Record<string, unknown>>('../../proto/gen/**/*_pb.ts', { eager: true });
const isService = (value: unknown): value is DescService =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service';
const methods = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter(isService)
  .flatMap((service) => service.methods);
const named = new Map(methods.map((method) => [rpcName(method), method]));

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const outcome = (bearer: string | undefined, method: DescMethod) => emptyCall(transportFor(t.app, bearer), method);

const rolesOf: Record<Exclude<PersonKind, 'support' | 'newcomer'>, string> = {
  viewer: 'viewer',
  operator: 'operator',
  developer: 'developer',
  administrator: 'administrator',
};

describe('the policy table', () => {
  it('has an answer for every rpc, and names none that is not there', () => {
    expect(methods.filter((method) => method.parent.typeName.startsWith('hiber.'))).toHaveLength(213);
    for (const method of methods) expect(policyOf(method), rpcName(method)).toBeDefined();
    expect(overridden.filter((name) => !named.has(name))).toEqual([]);
  });

  it('lets only one rpc be called by everyone', () => {
    const open = methods.filter((method) => policyOf(method).audience === 'everyone');
    expect(open.map(rpcName)).toEqual(['quarterdeck.server.v1.ServerService.Info']);
  });

  it('asks for what the contract says in the cases where it says something else than it annotates', () => {
    const gate = (name: string) => policyOf(named.get(name) as DescMethod).organization;
    expect(gate('hiber.tag.TagService.Create')).toEqual(['TAGS_MANAGE']);
    expect(gate('hiber.modem.ModemService.List')).toEqual(['MODEMS']);
    expect(gate('hiber.event.EventService.History')).toEqual([]);
    expect(gate('hiber.webhook.WebhookService.Create')).toEqual(['PUBLISHERS']);
    expect(gate('hiber.processpoint.ProcessPointService.AssignDevice')).toEqual([
      'PROCESS_POINTS',
      'ASSIGNMENTS',
      'MODEMS',
    ]);
  });

  it('knows every permission that an ability of the console comes from', () => {
    const known: readonly string[] = [
      ...organizationPermissionNames,
      ...userPermissionNames,
      ...supportPermissionNames,
    ];
    const needed = (Object.keys(abilities) as Ability[]).map(permissionOf);
    expect(needed.filter((permission) => !known.includes(permission))).toEqual([]);
  });

  it('lets an administrator pass wherever support staff are not asked for', () => {
    const held: ReadonlySet<string> = permissionsOfRoles(['administrator']);
    const users: readonly string[] = ['READ', 'UPDATE', 'REQUEST_ACCESS', 'DELETE'];
    const closed = methods.filter((method) =>
      lacking(policyOf(method), (name) => held.has(name) || users.includes(name)),
    );
    expect(closed.map(rpcName)).toEqual(['hiber.file.FileService.Delete']);
    expect(roles.map((role) => role.identifier)).toContain('installer');
  });
});

describe('every rpc', () => {
  it('is refused to somebody who is not signed in', async () => {
    for (const method of methods) {
      if (policyOf(method).audience === 'everyone') continue;
      const code = await outcome(undefined, method);
      // A service that is not registered has nothing to protect, and cannot even be asked.
      expect([Code.Unauthenticated, Code.Unimplemented], rpcName(method)).toContain(code);
    }
  });

  it.each(Object.entries(rolesOf))(
    'is refused to a %s who lacks what it asks for, and to nobody else',
    async (kind, role) => {
      const held: ReadonlySet<string> = permissionsOfRoles([role]);
      const bearer = t.as(kind as PersonKind).bearer;
      for (const method of methods) {
        const policy = policyOf(method);
        const permitted = [...policy.organization, ...policy.support].every((name) => held.has(name));
        const code = await outcome(bearer, method);
        if (code === Code.Unimplemented) continue;
        expect(code === Code.PermissionDenied, `${rpcName(method)} for a ${kind}`).toBe(!permitted);
      }
    },
  );

  it('is refused to a newcomer, unless it is about themselves', async () => {
    const bearer = t.as('newcomer').bearer;
    for (const method of methods) {
      if (policyOf(method).audience !== 'organization') continue;
      const code = await outcome(bearer, method);
      expect([Code.PermissionDenied, Code.Unimplemented], rpcName(method)).toContain(code);
    }
  });
});
