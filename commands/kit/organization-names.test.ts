import { afterAll, beforeAll, expect, test } from 'vitest';

import { token } from '#commands/nouns/integrations/token/entity.ts';
import { testContext } from '#commands/testkit/context.ts';
import { contextAs, type } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { organizationLinks, loadOrganizationNames, organizationText } from './organization-names.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

const CHILD = 'northwind-north';

test('shows accessible organizations by name and all others by id', async () => {
  const context = await contextAs(server, 'administrator');
  const names = await loadOrganizationNames(context, [CHILD, context.organization.id, 'nowhere', '']);
  expect(organizationText(context.organization.id, names)).toBe(context.organization.name);
  expect(organizationText(CHILD, names)).toMatch(/^[A-Z]/);
  expect(organizationText('nowhere', names)).toEqual({ key: 'common:organizationId', values: { id: 'nowhere' } });
  expect(organizationText('', names)).toBeUndefined();
  expect(organizationLinks(CHILD, names)).toEqual([
    { entity: 'organization', id: CHILD, name: organizationText(CHILD, names) },
  ]);
  expect(organizationLinks('nowhere', names)).toEqual([]);
});

test('requests nothing for the current organization or without access to the account', async () => {
  // This context has no server, so any call throws.
  const context = testContext();
  const { id, name } = context.organization;
  expect(await loadOrganizationNames(context, [id, id])).toEqual(new Map([[id, name]]));
  expect(await loadOrganizationNames(context, ['other'])).toEqual(new Map([[id, name]]));
});

test('names the organizations that a token may act for', async () => {
  const context = await contextAs(server, 'administrator');
  await type(context, `token create narrow --organizations ${CHILD}`);
  const [item] = await token.find(context, 'narrow');
  const reach = token.details!.find(({ id }) => id === 'reach')!;
  expect(reach.value(item!)).toBe((await loadOrganizationNames(context, [CHILD])).get(CHILD));
});
