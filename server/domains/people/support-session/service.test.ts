import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { Token_Type, TokenService } from '#proto/gen/hiber/token_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { supportSession } from '#server/db/schema/support.ts';
import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
beforeEach(() => t.app.db.orm.delete(supportSession));
afterAll(() => t.close());

const ORGANIZATION = 'northwind';
const MINUTE = 60_000;
const support = () => t.as('support').client(SupportService);
const staffTags = () => t.as('support').client(TagService);
const audit = () => t.as('administrator').client(SupportService);
const tag = (name: string) => ({ organization: ORGANIZATION, create: { name, type: 'group' } });

describe("support staff in a customer's organization", () => {
  test('can only read until they allow changes', async () => {
    await expect(staffTags().list({ organization: ORGANIZATION })).resolves.toBeDefined();
    const deniedCall = staffTags().create(tag('Too early'));
    await expect(deniedCall).rejects.toMatchObject({ code: Code.PermissionDenied });
    await expect(deniedCall).rejects.toThrow(/"northwind".*support allow-changes/);
    const { supportSession } = await support().allowChanges({ organization: ORGANIZATION, reason: 'Ticket 17' });
    expect(supportSession).toMatchObject({ reason: 'Ticket 17', calls: 2, changes: 1 });
    expect(supportSession?.changesAllowedAt).toBeDefined();
    await expect(staffTags().create(tag('Allowed'))).resolves.toBeDefined();
  });

  test('leave a record of every call and its outcome', async () => {
    await staffTags().list({ organization: ORGANIZATION });
    await staffTags()
      .create(tag('No'))
      .catch(() => undefined);
    await support().allowChanges({ organization: ORGANIZATION });
    await staffTags()
      .delete({ organization: ORGANIZATION, id: 999n })
      .catch(() => undefined);
    const { supportSessions } = await audit().listSupportSessions({});
    expect(supportSessions).toMatchObject([{ userName: 'Elif Yilmaz', reason: '', calls: 3, changes: 2 }]);
    const { calls } = await audit().listCalls({ supportSessionId: supportSessions[0]?.id ?? 0n });
    expect(calls.map(({ rpc, changes, outcome }) => [rpc, changes, outcome])).toEqual([
      ['TagService.List', false, 'ok'],
      ['TagService.Create', true, 'permission_denied'],
      ['TagService.Delete', true, 'not_found'],
    ]);
    await expect(audit().listCalls({ supportSessionId: 999n })).rejects.toMatchObject({ code: Code.NotFound });
  });

  test('leave a record when a search across organizations finds a device', async () => {
    const { modems } = await t.as('viewer').client(ModemService).list({});
    const where = { case: 'inOrganizations', value: {} } as const;
    await t.as('support').client(ModemService).get({ modemNumber: modems[0]?.number, where });
    const { supportSessions } = await audit().listSupportSessions({});
    const { calls } = await audit().listCalls({ supportSessionId: supportSessions[0]?.id });
    expect(calls).toMatchObject([{ rpc: 'ModemService.Get', changes: false, outcome: 'ok' }]);
  });

  test('appear in the record while watching a stream and after it ends', async () => {
    const stop = new AbortController();
    const headers = { 'quarterdeck-keep-alive': '25' };
    const stream = t
      .as('support')
      .client(EventService)
      .stream({ organization: ORGANIZATION }, { signal: stop.signal, headers });
    await stream[Symbol.asyncIterator]().next();
    const { supportSessions } = await audit().listSupportSessions({});
    const supportSessionId = supportSessions[0]?.id ?? 0n;
    const outcomes = async () =>
      (await audit().listCalls({ supportSessionId })).calls.map((call) => [call.rpc, call.outcome]);
    expect(await outcomes()).toEqual([['EventService.Stream', '']]);
    stop.abort();
    await expect.poll(outcomes).toEqual([['EventService.Stream', 'canceled']]);
  });

  test('can create tokens only for members, not for themselves', async () => {
    await support().allowChanges({ organization: ORGANIZATION });
    const tokens = t.as('support').client(TokenService);
    const organizationPermissions = { includeAll: true };
    const request = {
      organization: ORGANIZATION,
      name: 'back door',
      type: Token_Type.SPECIFIC,
      organizationPermissions,
    };
    await expect(tokens.create(request)).rejects.toThrow('for one of its members');
    const forUserId = demoPerson('administrator').id;
    await expect(tokens.create({ ...request, forUserId })).resolves.toBeDefined();
  });

  test('start a new, read-only support session after one ends or expires', async () => {
    await support().allowChanges({ organization: ORGANIZATION, reason: 'First' });
    await support().endSupportSession({ organization: ORGANIZATION });
    await expect(staffTags().create(tag('After the end'))).rejects.toMatchObject({ code: Code.PermissionDenied });
    await support().allowChanges({ organization: ORGANIZATION });
    t.advance(61 * MINUTE);
    await expect(staffTags().create(tag('After an hour'))).rejects.toMatchObject({ code: Code.PermissionDenied });
    expect((await audit().listSupportSessions({})).supportSessions.map(({ reason }) => reason)).toEqual([
      '',
      '',
      'First',
    ]);
  });

  test('share one support session between concurrent calls', async () => {
    await Promise.all(Array.from({ length: 8 }, () => staffTags().list({ organization: ORGANIZATION })));
    expect((await audit().listSupportSessions({})).supportSessions).toMatchObject([{ calls: 8 }]);
  });

  test('can extend a support session with a new reason of up to 500 characters', async () => {
    const first = await support().beginSupportSession({ organization: ORGANIZATION, reason: 'A question' });
    t.advance(30 * MINUTE);
    const { supportSession } = await support().beginSupportSession({ organization: ORGANIZATION, reason: ' Another ' });
    expect(supportSession).toMatchObject({ id: first.supportSession?.id, reason: 'Another' });
    t.advance(45 * MINUTE);
    await staffTags().list({ organization: ORGANIZATION });
    expect((await audit().listSupportSessions({})).supportSessions).toMatchObject([{ calls: 1 }]);
    await expect(
      support().beginSupportSession({ organization: ORGANIZATION, reason: 'x'.repeat(501) }),
    ).rejects.toThrow('500 characters');
  });
});

describe('a support session', () => {
  test("is not needed in the staff's own organization, or by a member of a parent organization", async () => {
    expect((await support().beginSupportSession({})).supportSession).toBeUndefined();
    await t
      .as('support')
      .client(TagService)
      .create({ create: { name: 'Own', type: 'group' } });
    const child = 'northwind-north';
    await t
      .as('administrator')
      .client(TagService)
      .create({ ...tag('From above'), organization: child });
    expect((await audit().listSupportSessions({ organization: child })).supportSessions).toEqual([]);
  });

  test('does not widen a limited token, but is needed for an unlimited token', async () => {
    const supportTokens = t.as('support').client(TokenService);
    const limitedToken = await supportTokens.create({
      name: 'limited',
      type: Token_Type.PERSONAL,
      limitImpersonation: {},
    });
    const access = t.with(limitedToken.token).client(OrganizationService).get({ organization: ORGANIZATION });
    await expect(access).rejects.toThrow('have access to organization "northwind"');
    const unlimitedToken = await supportTokens.create({ name: 'unlimited', type: Token_Type.PERSONAL });
    const tags = t.with(unlimitedToken.token).client(TagService);
    await expect(tags.create(tag('By token'))).rejects.toThrow('support allow-changes');
    expect((await audit().listSupportSessions({})).supportSessions).toMatchObject([{ calls: 1, changes: 1 }]);
  });
});

describe('the record of support sessions', () => {
  test("is visible to the organization's administrators, and to staff for all organizations", async () => {
    await staffTags().list({ organization: ORGANIZATION });
    await staffTags().list({ organization: 'northwind-north' });
    await support().beginSupportSession({ organization: ORGANIZATION, reason: 'Pressure of well 4' });
    const allSessions = await support().listSupportSessions({ allOrganizations: true });
    expect(allSessions.supportSessions.map((supportSession) => supportSession.organization).toSorted()).toEqual([
      'northwind',
      'northwind-north',
    ]);
    const matches = await support().listSupportSessions({ allOrganizations: true, search: 'WELL 4' });
    expect(matches).toMatchObject({ supportSessions: [{ organization: ORGANIZATION }], pagination: { total: 1 } });
    expect((await audit().listSupportSessions({ onlyChanges: true })).supportSessions).toEqual([]);
    await expect(audit().listSupportSessions({ allOrganizations: true })).rejects.toThrow('CUSTOMER_SUPPORT');
    const operator = t.as('operator').client(SupportService);
    await expect(operator.listSupportSessions({})).rejects.toThrow('USERS_MANAGE');
  });
});
