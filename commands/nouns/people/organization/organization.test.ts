import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { registry } from '#commands/nouns/all.ts';
import type { Ability } from '#commands/model/ability.ts';
import { availability } from '#commands/run/availability.ts';
import type { Context } from '#commands/model/context.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, planOf, type } from '#commands/testkit/server.ts';
import { organization } from './entity.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

test('support finds any organization by some letters, and acts for it by name or slug', async () => {
  const actAs = vi.fn<HostCapabilities['session']['actAs']>(async () => undefined);
  const nothing = async () => undefined;
  const session = { actAs, returnHome: nothing, signOut: nothing, visiting: () => undefined };
  const support = { ...(await contextAs(server, 'support')), host: { session } };
  const all = await listAll(organization, 'accessible:true', support);
  expect(all.length).toBeGreaterThan(1);
  const other = all.find((item) => organization.id(item) !== support.organization.id)!;
  const near = await organization.search(support, organization.label(other).slice(0, 3), 50);
  expect(near.map(organization.id)).toContain(organization.id(other));
  await type(support, `organization act-as '${organization.label(other)}' --reason 'ticket 4711'`);
  expect(actAs).toHaveBeenCalledWith(organization.id(other));

  const back = registry.command('organization.return')!;
  expect(availability(back, support)).toMatchObject({ ok: false, reason: { code: 'blocked' } });
  const acting = { ...(await contextAs(server, 'support', organization.id(other))), host: { session } };
  expect(availability(back, acting).ok).toBe(true);
});

test('an organization is found by the starts of several words', async () => {
  const support = await contextAs(server, 'support');
  const all = await listAll(organization, 'accessible:true', support);
  const other = all.find((item) => /^\w+ \w+$/.test(organization.label(item)))!;
  const [first = '', second = ''] = organization.label(other).split(' ');
  for (const typed of [`${first.slice(0, 3)} ${second.slice(0, 2)}`, `${first.slice(0, 3)}${second.slice(0, 2)}`]) {
    const near = await organization.search(support, typed.toLowerCase(), 5);
    expect(near.map(organization.id)).toContain(organization.id(other));
  }
});

test('one that is named shows what an edit changes, and can be put back', async () => {
  const context = await contextAs(server, 'administrator');
  for (const line of [
    "organization edit northwind --contact-name 'Somebody else'",
    'organization edit northwind --city Delft',
  ]) {
    const plan = await planOf(context, line);
    expect([plan?.reversible, plan?.changes[0]?.before], line).toEqual([true, expect.any(String)]);
  }
});

test('the panel has the details and the organizations below', async () => {
  const administrator = await contextAs(server, 'administrator');
  const [home] = await organization.byIds(administrator, [administrator.organization.id]);
  expect(home?.details?.organization).toBe(administrator.organization.id);
  const below = await organization.detailTabs![0]!.load(administrator, home!);
  expect(below.length).toBeGreaterThan(0);
  expect(await listAll(organization, 'default:true', administrator)).toHaveLength(1);
});

test('deleting needs the permission to delete, and creating tells whether it can be undone', async () => {
  const administrator = await contextAs(server, 'administrator');
  const without = (ability: Ability): Context => {
    const abilities = new Set([...administrator.actor.abilities].filter((item) => item !== ability));
    return { ...administrator, actor: { ...administrator.actor, abilities } };
  };
  const remove = registry.command('organization.delete')!;
  expect(availability(remove, without('CREATE_ORGANIZATION')).ok).toBe(true);
  expect(availability(remove, without('DELETE_ORGANIZATION'))).toMatchObject({
    ok: false,
    reason: { code: 'ability', lacks: 'ORGANIZATION_DELETE' },
  });
  const line = 'organization create acme --contact-name A --contact-email a@b.example';
  const reversible = async (context: Context) => (await planOf(context, line))?.reversible;
  expect([await reversible(administrator), await reversible(without('DELETE_ORGANIZATION'))]).toEqual([true, false]);
});
