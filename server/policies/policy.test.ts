import { describe, expect, test } from 'vitest';

import { abilities, type Ability, permissionOf } from '#commands/model/ability.ts';
import { policyOf } from '#server/http/rpc/policy-of.ts';
import { methods } from '#server/testkit/policies/rpcs.ts';

import { organizationPermissionNames, supportPermissionNames, userPermissionNames } from './permissions.ts';
import { policyTable, rpcName } from './rpcs.ts';

describe('the policy table', () => {
  test('covers every rpc and throws for an rpc without a policy', () => {
    expect(methods.filter((method) => method.parent.typeName.startsWith('hiber.'))).toHaveLength(213);
    for (const method of methods) expect(policyOf(method), rpcName(method)).toBeDefined();
    const [method] = methods;
    expect(() => policyTable([])(method!)).toThrow(`${rpcName(method!)} has no policy.`);
  });

  test('leaves only rpcs without personal data open to everyone', () => {
    const openRpcs = methods.filter((method) => policyOf(method).audience === 'everyone');
    expect(openRpcs.map(rpcName).toSorted()).toEqual([
      'grpc.health.v1.Health.Check',
      'grpc.health.v1.Health.List',
      'grpc.health.v1.Health.Watch',
      'grpc.reflection.v1.ServerReflection.ServerReflectionInfo',
      'grpc.reflection.v1alpha.ServerReflection.ServerReflectionInfo',
      'quarterdeck.server.v1.ServerService.Info',
    ]);
  });

  test("includes every permission that the console's abilities require", () => {
    const permissionNames: readonly string[] = [
      ...organizationPermissionNames,
      ...userPermissionNames,
      ...supportPermissionNames,
    ];
    const required = (Object.keys(abilities) as Ability[]).map(permissionOf);
    expect(required.filter((permission) => !permissionNames.includes(permission))).toEqual([]);
  });
});
