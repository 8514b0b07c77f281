import type { DescMethod } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { abilities, type Ability, permissionOf } from '#commands/core/ability';
import { organizationPermissionNames, supportPermissionNames, userPermissionNames } from './permissions.ts';
import { lacking, overridden, policyOf, rpcName } from './policy.ts';
import { permissionsOfRoles, roles } from './roles.ts';
import { methodNamed, methods } from './testing.ts';

describe('the policy table', () => {
  it('has an answer for every rpc, and names none that is not there', () => {
    expect(methods.filter((method) => method.parent.typeName.startsWith('hiber.'))).toHaveLength(213);
    for (const method of methods) expect(policyOf(method), rpcName(method)).toBeDefined();
    expect(overridden.filter((name) => !methodNamed.has(name))).toEqual([]);
  });

  it('lets only one rpc be called by everyone', () => {
    const open = methods.filter((method) => policyOf(method).audience === 'everyone');
    expect(open.map(rpcName)).toEqual(['quarterdeck.server.v1.ServerService.Info']);
  });

  it('asks for what the contract says in the cases where it says something else than it annotates', () => {
    const gate = (name: string) => policyOf(methodNamed.get(name) as DescMethod).organization;
    expect(gate('hiber.tag.TagService.Create')).toEqual(['TAGS_MANAGE']);
    expect(gate('hiber.modem.ModemService.List')).toEqual(['MODEMS']);
    expect(gate('hiber.event.EventService.History')).toEqual([]);
    expect(gate('hiber.webhook.WebhookService.Create')).toEqual(['PUBLISHERS']);
    expect(gate('hiber.sso.SingleSignOnService.Zendesk')).toEqual([]);
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
    const held: ReadonlySet<string> = new Set([...permissionsOfRoles(['administrator']), ...userPermissionNames]);
    const closed = methods.filter((method) => lacking(policyOf(method), (name) => held.has(name)));
    expect(closed.map(rpcName).toSorted()).toEqual([
      'hiber.file.FileService.Delete',
      'quarterdeck.support.v1.SupportService.AllowChanges',
      'quarterdeck.support.v1.SupportService.BeginVisit',
      'quarterdeck.support.v1.SupportService.EndVisit',
      'quarterdeck.support.v1.SupportService.IssueCreationToken',
    ]);
    expect(roles.map((role) => role.identifier)).toContain('installer');
  });
});
