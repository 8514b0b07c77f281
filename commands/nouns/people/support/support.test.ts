import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { registry } from '#commands/nouns/all.ts';
import { availability } from '#commands/run/availability.ts';
import type { Context } from '#commands/model/context.ts';
import type { HostCapabilities, PaletteStart, Settings } from '#commands/model/host.ts';
import { listAll } from '#commands/run/lookup.ts';
import { organization } from '#commands/nouns/people/organization/entity.ts';
import { contextAs, planOf, type, undo } from '#commands/testkit/server.ts';
import { supportSession } from '#commands/nouns/people/support-session/entity.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

/** Support staff at a console that notes what it is asked to do. */
async function staff(organization?: string, settings: Partial<Settings> = {}) {
  const open = vi.fn<(start?: PaletteStart) => void>();
  const actAs = vi.fn<HostCapabilities['session']['actAs']>(async () => undefined);
  const nothing = async () => undefined;
  const session = { actAs, returnHome: nothing, signOut: nothing, visiting: () => undefined };
  const context: Context = {
    ...(await contextAs(server, 'support', organization)),
    host: { session, palette: { open }, settings: { get: () => settings as Settings, set: () => undefined } },
  };
  return { context, open, actAs };
}

const reasonNow = async (organization: string) => (await staff(organization)).context.organization.visit?.reason;

test('who acts for an organization is asked why, once for the visit', async () => {
  const first = await staff();
  await type(first.context, 'organization act-as northwind');
  expect(first.open).toHaveBeenCalledWith({
    invocation: { id: 'support.act-as', args: { organization: 'northwind' } },
  });
  expect(first.actAs).not.toHaveBeenCalled();

  await type(first.context, "support act-as northwind 'ticket 4711'");
  expect(first.actAs).toHaveBeenCalledWith('northwind');
  expect(await reasonNow('northwind')).toBe('ticket 4711');

  const again = await staff();
  await type(again.context, 'organization act-as northwind');
  expect(again.open).not.toHaveBeenCalled();
  expect(again.actAs).toHaveBeenCalledWith('northwind');
});

test('who turned the question off is not asked', async () => {
  const { context, open, actAs } = await staff(undefined, { askReason: false });
  await type(context, 'organization act-as northwind-offshore');
  expect(open).not.toHaveBeenCalled();
  expect(actAs).toHaveBeenCalledWith('northwind-offshore');
});

test('a visit only reads until changes are allowed, and says which command allows them', async () => {
  const { context } = await staff('northwind-north');
  const create = registry.command('tag.create')!;
  const refused = availability(create, context);
  expect(refused).toMatchObject({ ok: false, reason: { code: 'readOnly' } });
  expect(availability(registry.command('tag.list')!, context).ok).toBe(true);

  await type(context, "support allow-changes 'repair the tags'");
  const allowed = (await staff('northwind-north')).context;
  expect(allowed.organization.visit).toMatchObject({ changesAllowed: true, reason: 'repair the tags' });
  expect((await type(allowed, "tag create 'Seen by support'")).outcome.results).toHaveLength(1);

  const reason = await type(allowed, "support set-reason 'look at the tags'");
  expect((await staff('northwind-north')).context.organization.visit).toMatchObject({ reason: 'look at the tags' });
  await undo(allowed, reason);
  expect(await planOf(allowed, 'support extend')).toMatchObject({ reversible: false, harmless: true });
  await type(allowed, 'support read-only');
  const after = (await staff('northwind-north')).context;
  expect(after.organization.visit).toMatchObject({ changesAllowed: false, reason: 'repair the tags' });
  await expect(type({ ...after, organization: allowed.organization }, 'tag create Other')).rejects.toThrow(
    'support allow-changes',
  );
});

test('the audit lists who acted for whom, why, and each call', async () => {
  const { context } = await staff();
  const visits = await listAll(supportSession, 'everywhere:true', context);
  const one = visits.find((visit) => visit.visit.reason === 'repair the tags')!;
  expect(one.visit).toMatchObject({ organization: 'northwind-north', userEmail: 'support@quarterdeck.example' });
  const [own] = await organization.byIds(context, ['northwind-north']);
  const shown = supportSession.columns.find(({ id }) => id === 'organization')!.value(one);
  expect(shown).toBe(organization.label(own!));
  expect(supportSession.label(one)).toContain(shown);
  const calls = await supportSession.detailTabs![0]!.load(
    context,
    visits.find((visit) => visit.visit.changesAllowedAt)!,
  );
  expect(calls).toContainEqual(expect.objectContaining({ rpc: 'TagService.Create', changes: true, outcome: 'ok' }));

  const administrator = await contextAs(server, 'administrator');
  const mine = await listAll(supportSession, '', administrator);
  expect(new Set(mine.map((item) => item.visit.organization))).toEqual(new Set(['northwind']));
});

test('who is mailed a creation token is told until when, as they write moments', async () => {
  const { context } = await staff();
  const as = async (dateTimeFormat: string) => {
    const preferences = { ...context.preferences, dateTimeFormat };
    const { outcome } = await type({ ...context, preferences }, 'support issue-creation-token mats@example.com');
    return outcome.message?.values?.['until'];
  };
  expect(await as('iso')).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
  expect(await as('day-first')).toMatch(/^\d{2}-\d{2}-\d{4} /);
});
