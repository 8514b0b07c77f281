import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { CurrentUserSchema } from '#proto/gen/hiber/current_user_pb.ts';
import { OrganizationSchema } from '#proto/gen/hiber/organization_pb.ts';
import { loadActing } from './acting.ts';

async function acting(user: MessageInitShape<typeof CurrentUserSchema>, requested?: string) {
  const api = () => ({
    currentUser: async () => create(CurrentUserSchema, { id: 'u', ...user }),
    get: async () => create(OrganizationSchema, { displayName: 'Northwind Energy' }),
  });
  const { actor, organization } = await loadActing(api as never, requested);
  return { home: actor.home, impersonating: organization.impersonating };
}

test('somebody acts for their own organization unless they ask for another one', async () => {
  const own = { defaultOrganization: 'northwind' };
  expect(await acting({ ...own, currentOrganization: 'northwind' })).toEqual({
    home: 'northwind',
    impersonating: false,
  });
  expect(await acting({ ...own, currentOrganization: 'acme' }, 'acme')).toEqual({
    home: 'northwind',
    impersonating: true,
  });
});

test('a token that may not read its owner is at home in its own organization', async () => {
  expect(await acting({ currentOrganization: 'northwind' })).toEqual({ home: 'northwind', impersonating: false });
  expect(await acting({ currentOrganization: 'acme' }, 'acme')).toEqual({ home: '', impersonating: true });
});
