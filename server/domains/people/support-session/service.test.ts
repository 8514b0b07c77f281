import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { Token_Type, TokenService } from '#proto/gen/hiber/token_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { supportVisit } from '#server/db/schema/support.ts';
import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
beforeEach(() => t.app.db.orm.delete(supportVisit));
afterAll(() => t.close());

const ORGANIZATION = 'northwind';
const MINUTES = 60_000;
const support = () => t.as('support').client(SupportService);
const staff = () => t.as('support').client(TagService);
const audit = () => t.as('administrator').client(SupportService);
const tag = (name: string) => ({ organization: ORGANIZATION, create: { name, type: 'group' } });

describe('support staff in an organization that is not theirs', () => {
  it('only read until they allow changes, and say so', async () => {
    await expect(staff().list({ organization: ORGANIZATION })).resolves.toBeDefined();
    const refused = staff().create(tag('Too early'));
    await expect(refused).rejects.toMatchObject({ code: Code.PermissionDenied });
    await expect(refused).rejects.toThrow(/"northwind".*support allow-changes/);
    const { visit } = await support().allowChanges({ organization: ORGANIZATION, reason: 'Ticket 17' });
    expect(visit).toMatchObject({ reason: 'Ticket 17', calls: 2, changes: 1 });
    expect(visit?.changesAllowedAt).toBeDefined();
    await expect(staff().create(tag('Allowed'))).resolves.toBeDefined();
  });

  it('leave a trace of every call, whatever came of it', async () => {
    await staff().list({ organization: ORGANIZATION });
    await staff()
      .create(tag('No'))
      .catch(() => undefined);
    await support().allowChanges({ organization: ORGANIZATION });
    await staff()
      .delete({ organization: ORGANIZATION, id: 999n })
      .catch(() => undefined);
    const { visits } = await audit().listVisits({});
    expect(visits).toMatchObject([{ userName: 'Elif Yilmaz', reason: '', calls: 3, changes: 2 }]);
    const { calls } = await audit().listCalls({ visitId: visits[0]?.id ?? 0n });
    expect(calls.map(({ rpc, changes, outcome }) => [rpc, changes, outcome])).toEqual([
      ['TagService.List', false, 'ok'],
      ['TagService.Create', true, 'permission_denied'],
      ['TagService.Delete', true, 'not_found'],
    ]);
    await expect(audit().listCalls({ visitId: 999n })).rejects.toMatchObject({ code: Code.NotFound });
  });

  it('leave one where a search through all organizations finds a device', async () => {
    const { modems } = await t.as('viewer').client(ModemService).list({});
    const where = { case: 'inOrganizations', value: {} } as const;
    await t.as('support').client(ModemService).get({ modemNumber: modems[0]?.number, where });
    const { visits } = await audit().listVisits({});
    const { calls } = await audit().listCalls({ visitId: visits[0]?.id });
    expect(calls).toMatchObject([{ rpc: 'ModemService.Get', changes: false, outcome: 'ok' }]);
  });

  it('are seen while they watch a stream, and when they stop', async () => {
    const stop = new AbortController();
    const headers = { 'quarterdeck-keep-alive': '25' };
    const stream = t
      .as('support')
      .client(EventService)
      .stream({ organization: ORGANIZATION }, { signal: stop.signal, headers });
    await stream[Symbol.asyncIterator]().next();
    const { visits } = await audit().listVisits({});
    const visitId = visits[0]?.id ?? 0n;
    const outcomes = async () => (await audit().listCalls({ visitId })).calls.map((call) => [call.rpc, call.outcome]);
    expect(await outcomes()).toEqual([['EventService.Stream', '']]);
    stop.abort();
    await expect.poll(outcomes).toEqual([['EventService.Stream', 'canceled']]);
  });

  it('keep no token there that would go on without visits', async () => {
    await support().allowChanges({ organization: ORGANIZATION });
    const tokens = t.as('support').client(TokenService);
    const organizationPermissions = { includeAll: true };
    const own = { organization: ORGANIZATION, name: 'back door', type: Token_Type.SPECIFIC, organizationPermissions };
    await expect(tokens.create(own)).rejects.toThrow('for one of its members');
    const forUserId = demoPerson('administrator').id;
    await expect(tokens.create({ ...own, forUserId })).resolves.toBeDefined();
  });

  it('begin anew, and read only again, once a visit has ended or its hour is over', async () => {
    await support().allowChanges({ organization: ORGANIZATION, reason: 'First' });
    await support().endVisit({ organization: ORGANIZATION });
    await expect(staff().create(tag('After the end'))).rejects.toMatchObject({ code: Code.PermissionDenied });
    await support().allowChanges({ organization: ORGANIZATION });
    t.advance(61 * MINUTES);
    await expect(staff().create(tag('After an hour'))).rejects.toMatchObject({ code: Code.PermissionDenied });
    expect((await audit().listVisits({})).visits.map(({ reason }) => reason)).toEqual(['', '', 'First']);
  });

  it('make one visit with many calls at once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => staff().list({ organization: ORGANIZATION })));
    expect((await audit().listVisits({})).visits).toMatchObject([{ calls: 8 }]);
  });

  it('renew a visit, with a reason that replaces the former', async () => {
    const first = await support().beginVisit({ organization: ORGANIZATION, reason: 'A question' });
    t.advance(30 * MINUTES);
    const { visit } = await support().beginVisit({ organization: ORGANIZATION, reason: ' Another ' });
    expect(visit).toMatchObject({ id: first.visit?.id, reason: 'Another' });
    t.advance(45 * MINUTES);
    await staff().list({ organization: ORGANIZATION });
    expect((await audit().listVisits({})).visits).toMatchObject([{ calls: 1 }]);
    await expect(support().beginVisit({ organization: ORGANIZATION, reason: 'x'.repeat(501) })).rejects.toThrow(
      '500 characters',
    );
  });
});

describe('no visit', () => {
  it('is needed where staff belong, and by a member of a parent organization', async () => {
    expect((await support().beginVisit({})).visit).toBeUndefined();
    await t
      .as('support')
      .client(TagService)
      .create({ create: { name: 'Own', type: 'group' } });
    const child = 'northwind-north';
    await t
      .as('administrator')
      .client(TagService)
      .create({ ...tag('From above'), organization: child });
    expect((await audit().listVisits({ organization: child })).visits).toEqual([]);
  });

  it('widens a token that is limited in impersonation, while a free one keeps to the rules of visits', async () => {
    const mine = t.as('support').client(TokenService);
    const limited = await mine.create({ name: 'limited', type: Token_Type.PERSONAL, limitImpersonation: {} });
    const away = t.with(limited.token).client(OrganizationService).get({ organization: ORGANIZATION });
    await expect(away).rejects.toThrow('no organization "northwind" that you have access to');
    const free = await mine.create({ name: 'free', type: Token_Type.PERSONAL });
    const tags = t.with(free.token).client(TagService);
    await expect(tags.create(tag('By token'))).rejects.toThrow('support allow-changes');
    expect((await audit().listVisits({})).visits).toMatchObject([{ calls: 1, changes: 1 }]);
  });
});

describe('the record of visits', () => {
  it('is for the administrators of the organization, and for staff across all of them', async () => {
    await staff().list({ organization: ORGANIZATION });
    await staff().list({ organization: 'northwind-north' });
    await support().beginVisit({ organization: ORGANIZATION, reason: 'Pressure of well 4' });
    const everywhere = await support().listVisits({ allOrganizations: true });
    expect(everywhere.visits.map((visit) => visit.organization).toSorted()).toEqual(['northwind', 'northwind-north']);
    const found = await support().listVisits({ allOrganizations: true, search: 'WELL 4' });
    expect(found).toMatchObject({ visits: [{ organization: ORGANIZATION }], pagination: { total: 1 } });
    expect((await audit().listVisits({ onlyChanges: true })).visits).toEqual([]);
    await expect(audit().listVisits({ allOrganizations: true })).rejects.toThrow('CUSTOMER_SUPPORT');
    const operator = t.as('operator').client(SupportService);
    await expect(operator.listVisits({})).rejects.toThrow('USERS_MANAGE');
  });
});
