import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { token } from '#commands/nouns/integrations/token/entity.ts';
import { contextAs, type } from '#commands/testkit/server.ts';
import { testContext } from '#commands/testkit/context.ts';
import { organizationLinks, organizationNames, organizationText } from './organization-names.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

const CHILD = 'northwind-north';

test('organizations that one may act for are named, others by their id with a word', async () => {
  const context = await contextAs(server, 'administrator');
  const names = await organizationNames(context, [CHILD, context.organization.id, 'nowhere', '']);
  expect(organizationText(context.organization.id, names)).toBe(context.organization.name);
  expect(organizationText(CHILD, names)).toMatch(/^[A-Z]/);
  expect(organizationText('nowhere', names)).toEqual({ key: 'common:organizationId', values: { id: 'nowhere' } });
  expect(organizationText('', names)).toBeUndefined();
  expect(organizationLinks(CHILD, names)).toEqual([
    { entity: 'organization', id: CHILD, name: organizationText(CHILD, names) },
  ]);
  expect(organizationLinks('nowhere', names)).toEqual([]);
});

test('nothing is asked for where all are the organization on the screen, or where the account may not be read', async () => {
  // Without a server: any call throws.
  const context = testContext();
  const { id, name } = context.organization;
  expect(await organizationNames(context, [id, id])).toEqual(new Map([[id, name]]));
  expect(await organizationNames(context, ['other'])).toEqual(new Map([[id, name]]));
});

test('a token says by name for whom it may act', async () => {
  const context = await contextAs(server, 'administrator');
  await type(context, `token create narrow --organizations ${CHILD}`);
  const [item] = await token.find(context, 'narrow');
  const reach = token.details!.find(({ id }) => id === 'reach')!;
  expect(reach.value(item!)).toBe((await organizationNames(context, [CHILD])).get(CHILD));
});
