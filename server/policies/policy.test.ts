import { describe, expect, it } from 'vitest';
import { abilities, type Ability, permissionOf } from '#commands/model/ability.ts';
import { organizationPermissionNames, supportPermissionNames, userPermissionNames } from './permissions.ts';
import { policyOf } from '#server/http/rpc/policies.ts';
import { policyTable, rpcName } from './rpcs.ts';
import { methods } from '#server/testkit/policies/rpcs.ts';

describe('the policy table', () => {
  it('has an answer for every rpc, and refuses one that no policy covers', () => {
    expect(methods.filter((method) => method.parent.typeName.startsWith('hiber.'))).toHaveLength(213);
    for (const method of methods) expect(policyOf(method), rpcName(method)).toBeDefined();
    const [method] = methods;
    expect(() => policyTable([])(method!)).toThrow(`No policy says who may call ${rpcName(method!)}.`);
  });

  it('lets everyone call only what says nothing of anybody', () => {
    const open = methods.filter((method) => policyOf(method).audience === 'everyone');
    expect(open.map(rpcName).toSorted()).toEqual([
      'grpc.health.v1.Health.Check',
      'grpc.health.v1.Health.List',
      'grpc.health.v1.Health.Watch',
      'grpc.reflection.v1.ServerReflection.ServerReflectionInfo',
      'grpc.reflection.v1alpha.ServerReflection.ServerReflectionInfo',
      'quarterdeck.server.v1.ServerService.Info',
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
});
