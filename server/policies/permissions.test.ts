import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';

import { OrganizationPermission, SupportPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { policyOf } from '#server/http/rpc/policy-of.ts';
import { expectedPermissions, reasons, replacements } from '#server/testkit/policies/permissions.ts';
import {
  expectedRoles,
  includedPermissions,
  organizationPermissions,
  supportPermissions,
  userPermissions,
} from '#server/testkit/policies/roles.ts';
import { methodNamed, methods } from '#server/testkit/policies/rpcs.ts';

import {
  organizationPermissionNames,
  organizationPermissionsOf,
  supportPermissionNames,
  userPermissionNames,
  userPermissionsOf,
  withIncluded,
} from './permissions.ts';
import { findRole, permissionsOfRoles, roles, supportPermissionsOfRoles } from './roles.ts';
import { effectOf, rpcName } from './rpcs.ts';

const sortNames = (names: Iterable<string>): string[] => [...names].toSorted();
const currentNames = (names: readonly string[]): string[] => [
  ...new Set(names.filter((name) => name !== 'PERMISSION_DEFAULT').map((name) => replacements[name] ?? name)),
];

describe('the table of expected permissions', () => {
  test('lists every rpc once', () => {
    expect(sortNames(expectedPermissions.map(({ rpc }) => rpc))).toEqual(sortNames(methods.map(rpcName)));
    expect(expectedPermissions.filter(({ rpc }) => rpc.startsWith('hiber.'))).toHaveLength(213);
  });

  test('reports existing permissions, without duplicates', () => {
    for (const { rpc, organization, user, support } of expectedPermissions) {
      for (const [names, catalog] of [
        [organization, OrganizationPermission],
        [user, UserPermission],
        [support, SupportPermission],
      ] as const) {
        expect(Object.keys(catalog), rpc).toEqual(expect.arrayContaining([...names]));
        expect(new Set(names).size, rpc).toBe(names.length);
      }
    }
  });

  test('requires all annotated permissions, or gives the reason for a difference', () => {
    const exceptions = expectedPermissions.filter(
      ({ rpc, organization, user, required }) =>
        rpc.startsWith('hiber.') &&
        sortNames(required).join() !== sortNames(currentNames([...organization, ...user])).join(),
    );
    expect(sortNames(exceptions.map(({ rpc }) => rpc))).toEqual(sortNames(Object.keys(reasons)));
  });
});

describe('the policies', () => {
  test.each(expectedPermissions)('match the table for $rpc', ({ rpc, audience, required, effect }) => {
    const method = methodNamed.get(rpc);
    if (method === undefined) throw new Error(`Unknown rpc ${rpc}.`);
    const policy = policyOf(method);
    const { organization, user, support } = policy;
    expect({
      audience: policy.audience,
      permissions: sortNames([...organization, ...user, ...support]),
      effect: effectOf(policy, method, create(method.input)),
    }).toEqual({ audience, permissions: sortNames(required), effect });
  });
});

describe('permissions', () => {
  test('are the permissions in the contract, except deprecated ones', () => {
    expect(sortNames(organizationPermissionNames)).toEqual(sortNames(organizationPermissions));
    expect(sortNames(userPermissionNames)).toEqual(sortNames(userPermissions));
    expect(sortNames(supportPermissionNames)).toEqual(sortNames(supportPermissions));
  });

  test.each([...organizationPermissionNames, ...userPermissionNames, ...supportPermissionNames])(
    '%s grants only the permissions that it includes',
    (name) => expect(sortNames(withIncluded([name]))).toEqual(sortNames([name, ...(includedPermissions[name] ?? [])])),
  );

  test('are granted by number, except the default, deprecated, and unknown ones', () => {
    const { PERMISSION_DEFAULT, ASSETS, ASSETS_UPDATE, ASSETS_VALUES, MODEMS } = OrganizationPermission;
    expect(organizationPermissionsOf([PERMISSION_DEFAULT, ASSETS, ASSETS_UPDATE, ASSETS_VALUES, 9999])).toEqual([]);
    expect(organizationPermissionsOf([MODEMS])).toEqual(['MODEMS']);
    expect(userPermissionsOf([UserPermission.DELETE, 9999])).toEqual(['DELETE']);
    expect(SupportPermission.CUSTOMER_SUPPORT).toBeTypeOf('number');
  });
});

describe('roles', () => {
  test('are exactly the expected roles', () =>
    expect(sortNames(roles.map(({ identifier }) => identifier))).toEqual(sortNames(Object.keys(expectedRoles))));

  test.each(Object.entries(expectedRoles))(
    'include %s, with the expected permissions',
    (identifier, { organization, support }) => {
      expect(sortNames(findRole(identifier)?.permissions ?? [])).toEqual(sortNames(organization));
      expect(sortNames(findRole(identifier)?.supportPermissions ?? [])).toEqual(sortNames(support));
      expect(sortNames(permissionsOfRoles([identifier]))).toEqual(sortNames(organization));
      expect(sortNames(supportPermissionsOfRoles([identifier]))).toEqual(sortNames(support));
    },
  );

  test('combine their permissions, and an unknown role grants nothing', () => {
    expect(permissionsOfRoles(['viewer', 'installer', 'owner']).has('MODEM_VALUES')).toBe(true);
    expect(permissionsOfRoles(['viewer', 'installer', 'owner']).has('MODEMS_FIRMWARE')).toBe(true);
    expect([...permissionsOfRoles(['owner']), ...supportPermissionsOfRoles(['owner'])]).toEqual([]);
    expect(findRole('owner')).toBeUndefined();
  });
});
