import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import type { HostCapabilities, PaletteStart, Settings } from '#commands/model/host.ts';
import { registry } from '#commands/nouns/all.ts';
import { organization } from '#commands/nouns/people/organization/entity.ts';
import { supportSession } from '#commands/nouns/people/support-session/entity.ts';
import { availability } from '#commands/run/availability.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

/** Returns a context for support staff, with a fake console that records its calls. */
async function createStaffContext(organization?: string, settings: Partial<Settings> = {}) {
  const open = vi.fn<(start?: PaletteStart) => void>();
  const actAs = vi.fn<HostCapabilities['session']['actAs']>(async () => undefined);
  const noop = async () => undefined;
  const updateSupportSession = vi.fn<HostCapabilities['session']['updateSupportSession']>();
  const session = { actAs, returnHome: noop, signOut: noop, updateSupportSession };
  const context: Context = {
    ...(await contextAs(server, 'support', organization)),
    host: { session, palette: { open }, settings: { get: () => settings as Settings, set: () => undefined } },
  };
  return { context, open, actAs, updateSupportSession };
}

const loadReason = async (organization: string) =>
  (await createStaffContext(organization)).context.organization.supportSession?.reason;

test('asks for a reason once per support session', async () => {
  const first = await createStaffContext();
  await type(first.context, 'organization act-as northwind');
  expect(first.open).toHaveBeenCalledWith({
    invocation: { id: 'support.act-as', args: { organization: 'northwind' } },
  });
  expect(first.actAs).not.toHaveBeenCalled();

  await type(first.context, "support act-as northwind 'ticket 4711'");
  expect(first.actAs).toHaveBeenCalledWith('northwind');
  expect(await loadReason('northwind')).toBe('ticket 4711');

  const second = await createStaffContext();
  await type(second.context, 'organization act-as northwind');
  expect(second.open).not.toHaveBeenCalled();
  expect(second.actAs).toHaveBeenCalledWith('northwind');
});

test('does not ask for a reason if the setting is off', async () => {
  const { context, open, actAs } = await createStaffContext(undefined, { askReason: false });
  await type(context, 'organization act-as northwind-offshore');
  expect(open).not.toHaveBeenCalled();
  expect(actAs).toHaveBeenCalledWith('northwind-offshore');
});

test('keeps a support session read-only until changes are allowed', async () => {
  const { context } = await createStaffContext('northwind-north');
  const create = registry.command('tag.create')!;
  const result = availability(create, context);
  expect(result).toMatchObject({ ok: false, reason: { code: 'readOnly' } });
  expect(availability(registry.command('tag.list')!, context).ok).toBe(true);

  await type(context, "support allow-changes 'repair the tags'");
  const allowed = (await createStaffContext('northwind-north')).context;
  expect(allowed.organization.supportSession).toMatchObject({ changesAllowed: true, reason: 'repair the tags' });
  expect((await type(allowed, "tag create 'Seen by support'")).outcome.results).toHaveLength(1);

  const reason = await type(allowed, "support set-reason 'look at the tags'");
  expect((await createStaffContext('northwind-north')).context.organization.supportSession).toMatchObject({
    reason: 'look at the tags',
  });
  await undo(allowed, reason);
  expect(await planLine(allowed, 'support extend')).toMatchObject({ reversible: false, harmless: true });
  await type(allowed, 'support read-only');
  const after = (await createStaffContext('northwind-north')).context;
  expect(after.organization.supportSession).toMatchObject({ changesAllowed: false, reason: 'repair the tags' });
  await expect(type({ ...after, organization: allowed.organization }, 'tag create Other')).rejects.toThrow(
    'support allow-changes',
  );
});

test('shows that no session remains if the server rejects the read-only session', async () => {
  const { context, updateSupportSession } = await createStaffContext('northwind-north');
  const reject = async () => {
    throw new ConnectError('The server is being upgraded.', Code.FailedPrecondition);
  };
  const api = ((service) => ({ ...context.api(service), beginSupportSession: reject })) as Context['api'];
  await expect(type({ ...context, api }, 'support read-only')).rejects.toThrow('upgraded');
  expect(updateSupportSession).toHaveBeenLastCalledWith(undefined);
});

test('lists each support session with its organization, reason, and calls in the audit log', async () => {
  const { context } = await createStaffContext();
  const sessions = await listAll(supportSession, 'everywhere:true', context);
  const session = sessions.find((item) => item.session.reason === 'repair the tags')!;
  expect(session.session).toMatchObject({ organization: 'northwind-north', userEmail: 'support@quarterdeck.example' });
  const [item] = await organization.byIds(context, ['northwind-north']);
  const organizationText = supportSession.columns.find(({ id }) => id === 'organization')!.value(session);
  expect(organizationText).toBe(organization.label(item!));
  expect(supportSession.label(session)).toContain(organizationText);
  const calls = await supportSession.detailTabs![0]!.load(
    context,
    sessions.find(({ session }) => session.changesAllowedAt)!,
  );
  expect(calls).toContainEqual(expect.objectContaining({ rpc: 'TagService.Create', changes: true, outcome: 'ok' }));

  const administrator = await contextAs(server, 'administrator');
  const ownSessions = await listAll(supportSession, '', administrator);
  expect(new Set(ownSessions.map((item) => item.session.organization))).toEqual(new Set(['northwind']));
});

test("formats the expiry of a creation token with the user's date format", async () => {
  const { context } = await createStaffContext();
  const expiryIn = async (dateTimeFormat: string) => {
    const preferences = { ...context.preferences, dateTimeFormat };
    const { outcome } = await type({ ...context, preferences }, 'support issue-creation-token mats@example.com');
    return outcome.message?.values?.['until'];
  };
  expect(await expiryIn('iso')).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
  expect(await expiryIn('day-first')).toMatch(/^\d{2}-\d{2}-\d{4} /);
});
