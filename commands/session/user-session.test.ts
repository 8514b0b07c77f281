import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { CurrentUserSchema } from '#proto/gen/hiber/current_user_pb.ts';
import { OrganizationSchema } from '#proto/gen/hiber/organization_pb.ts';

import { loadUserSession } from './user-session.ts';

async function loadHome(user: MessageInitShape<typeof CurrentUserSchema>, requestedId?: string) {
  const api = () => ({
    currentUser: async () => create(CurrentUserSchema, { id: 'u', ...user }),
    get: async () => create(OrganizationSchema, { displayName: 'Northwind Energy' }),
  });
  const { actor, organization } = await loadUserSession(api as never, requestedId);
  return { home: actor.home, awayFromHome: organization.awayFromHome };
}

test("acts for the user's own organization unless another is requested", async () => {
  const preferences = { defaultOrganization: 'northwind' };
  expect(await loadHome({ ...preferences, currentOrganization: 'northwind' })).toEqual({
    home: 'northwind',
    awayFromHome: false,
  });
  expect(await loadHome({ ...preferences, currentOrganization: 'acme' }, 'acme')).toEqual({
    home: 'northwind',
    awayFromHome: true,
  });
});

test("uses a token's organization as home if the token has no access to its owner's account", async () => {
  expect(await loadHome({ currentOrganization: 'northwind' })).toEqual({
    home: 'northwind',
    awayFromHome: false,
  });
  expect(await loadHome({ currentOrganization: 'acme' }, 'acme')).toEqual({ home: '', awayFromHome: true });
});
