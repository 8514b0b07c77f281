import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import type { Ability } from '#commands/model/ability.ts';
import type { Context } from '#commands/model/context.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import { registry } from '#commands/nouns/all.ts';
import { availability } from '#commands/run/availability.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, planLine, type } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { organization } from './entity.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

test('lets support find any organization by part of its name and act for it', async () => {
  const actAs = vi.fn<HostCapabilities['session']['actAs']>(async () => undefined);
  const noop = async () => undefined;
  const session = { actAs, returnHome: noop, signOut: noop, updateSupportSession: () => undefined };
  const support = { ...(await contextAs(server, 'support')), host: { session } };
  const accessible = await listAll(organization, 'accessible:true', support);
  expect(accessible.length).toBeGreaterThan(1);
  const other = accessible.find((item) => organization.id(item) !== support.organization.id)!;
  const matches = await organization.search(support, organization.label(other).slice(0, 3), 50);
  expect(matches.map(organization.id)).toContain(organization.id(other));
  await type(support, `organization act-as '${organization.label(other)}' --reason 'ticket 4711'`);
  expect(actAs).toHaveBeenCalledWith(organization.id(other));

  const returnHome = registry.command('organization.return')!;
  expect(availability(returnHome, support)).toMatchObject({ ok: false, reason: { code: 'blocked' } });
  const supportContext = { ...(await contextAs(server, 'support', organization.id(other))), host: { session } };
  expect(availability(returnHome, supportContext).ok).toBe(true);
});

test('finds an organization by prefixes of several words', async () => {
  const support = await contextAs(server, 'support');
  const accessible = await listAll(organization, 'accessible:true', support);
  const other = accessible.find((item) => /^\w+ \w+$/.test(organization.label(item)))!;
  const [first = '', second = ''] = organization.label(other).split(' ');
  for (const query of [`${first.slice(0, 3)} ${second.slice(0, 2)}`, `${first.slice(0, 3)}${second.slice(0, 2)}`]) {
    const matches = await organization.search(support, query.toLowerCase(), 5);
    expect(matches.map(organization.id)).toContain(organization.id(other));
  }
});

test('plans to edit an organization by name, with the old values, and can undo the edit', async () => {
  const context = await contextAs(server, 'administrator');
  for (const line of [
    "organization edit northwind --contact-name 'Somebody else'",
    'organization edit northwind --city Delft',
  ]) {
    const plan = await planLine(context, line);
    expect([plan?.reversible, plan?.changes[0]?.before], line).toEqual([true, expect.any(String)]);
  }
});

test('shows details and sub-organizations in the panel', async () => {
  const administrator = await contextAs(server, 'administrator');
  const [home] = await organization.byIds(administrator, [administrator.organization.id]);
  expect(home?.details?.organization).toBe(administrator.organization.id);
  const subOrganizations = await organization.detailTabs![0]!.load(administrator, home!);
  expect(subOrganizations.length).toBeGreaterThan(0);
  expect(await listAll(organization, 'default:true', administrator)).toHaveLength(1);
});

test('requires the delete permission to delete an organization and to undo creating one', async () => {
  const administrator = await contextAs(server, 'administrator');
  const contextWithout = (ability: Ability): Context => {
    const abilities = new Set([...administrator.actor.abilities].filter((item) => item !== ability));
    return { ...administrator, actor: { ...administrator.actor, abilities } };
  };
  const remove = registry.command('organization.delete')!;
  expect(availability(remove, contextWithout('CREATE_ORGANIZATION')).ok).toBe(true);
  expect(availability(remove, contextWithout('DELETE_ORGANIZATION'))).toMatchObject({
    ok: false,
    reason: { code: 'ability', missing: 'ORGANIZATION_DELETE' },
  });
  const line = 'organization create acme --contact-name A --contact-email a@b.example';
  const isReversible = async (context: Context) => (await planLine(context, line))?.reversible;
  expect([await isReversible(administrator), await isReversible(contextWithout('DELETE_ORGANIZATION'))]).toEqual([
    true,
    false,
  ]);
});
