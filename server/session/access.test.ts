import { afterAll, beforeAll, expect, test } from 'vitest';

import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { organization } from '#server/db/schema/organization.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { accessible, canReach } from './access.ts';
import type { Session } from './session.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const person = (...organizations: string[]): Partial<Session> => ({
  memberships: organizations.map((id) => ({ organization: id, path: [id], roles: [], blockedReason: undefined })),
});
const staff = { supportPermissions: new Set(['CUSTOMER_SUPPORT'] as const) } satisfies Partial<Session>;
const everyOrganization = { includeAll: true, include: [], exclude: [] };

function token(type: Token_Type, limitImpersonation: typeof everyOrganization | object | null): Partial<Session> {
  return { token: { type, organization: 'northwind', limitImpersonation } as unknown as NonNullable<Session['token']> };
}

test.each<[string, Partial<Session>]>([
  ['nobody', {}],
  ['a member', person('northwind')],
  ['a member of a descendant', person('northwind-offshore')],
  ['a member of several organizations', person('northwind-offshore', 'globex')],
  ['support staff', staff],
  ['a token without a limit', token(Token_Type.SPECIFIC, null)],
  ['a token for only its own organization', token(Token_Type.SPECIFIC, { ...everyOrganization, includeAll: false })],
  [
    'a token for some descendants',
    token(Token_Type.SPECIFIC, { ...everyOrganization, includeAll: false, include: ['northwind-offshore'] }),
  ],
  [
    'a token for all descendants but some',
    token(Token_Type.SPECIFIC, { ...everyOrganization, exclude: ['northwind-offshore'] }),
  ],
  ['a personal token of a member', { ...person('northwind'), ...token(Token_Type.PERSONAL, everyOrganization) }],
  ['a personal token of a former member', token(Token_Type.PERSONAL, everyOrganization)],
  ['a personal token of support staff', { ...staff, ...token(Token_Type.PERSONAL, everyOrganization) }],
])('reaches the same organizations by query and by check: %s', async (_, overrides) => {
  const session = {
    token: undefined,
    memberships: [],
    supportPermissions: new Set(),
    ...overrides,
  } as unknown as Session;
  const { orm } = t.app.db;
  const organizations = await orm.select({ id: organization.id, path: organization.path }).from(organization);
  const accessibleRows = await orm.select({ id: organization.id }).from(organization).where(accessible(session));
  expect(organizations.length).toBeGreaterThan(1);
  expect(
    organizations
      .filter((row) => canReach(session, row))
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(accessibleRows.map(({ id }) => id).toSorted());
});
