import { timestampDate } from '@bufbuild/protobuf/wkt';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { EventService, type EventStreamRequest } from '#proto/gen/hiber/event_service_pb.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import { RoleService } from '#proto/gen/hiber/role_service_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { Token_Type, TokenService } from '#proto/gen/hiber/token_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { userValidation } from '#server/db/schema/membership-request.ts';
import { token } from '#server/db/schema/token.ts';
import { membership } from '#server/db/schema/user.ts';
import { eventTypeName } from '#server/events/visibility.ts';
import { demoPerson, startTestServer, type TestCaller, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
beforeEach(() => t.app.db.orm.delete(token));
afterAll(() => t.close());

const tokens = () => t.as('administrator').client(TokenService);
const users = () => t.as('administrator').client(UserService);

/** Opens a stream and collects the types of its events until it ends. Ignores events from earlier tests. */
async function follow(caller: TestCaller, request: Partial<EventStreamRequest> = {}): Promise<[Promise<string[]>]> {
  t.advance(1);
  const openedAt = t.app.now();
  const options = { headers: { 'quarterdeck-keep-alive': '300' } };
  const stream = caller.client(EventService).stream(request, options)[Symbol.asyncIterator]();
  await stream.next();
  const typesUntilEnd = async () => {
    const types: string[] = [];
    for (let next = await stream.next(); !next.done; next = await stream.next()) {
      const { type, time } = next.value;
      if (timestampDate(time!.timestamp!) >= openedAt) types.push(eventTypeName(type) ?? '');
    }
    return types;
  };
  // Return an array because awaiting a promise of a promise would await the end of the stream.
  return [typesUntilEnd()];
}

describe('a stream delivers the event that ends it', () => {
  test('when its token is deleted', async () => {
    const organizationPermissions = { include: [OrganizationPermission.TOKENS] };
    const created = await tokens().create({ name: 'listener', organizationPermissions });
    const [types] = await follow(t.with(created.token));
    await tokens().delete({ tokenId: created.created!.id });
    await tokens().create({ name: 'later' });
    expect(await types).toEqual(['TOKEN_DELETED']);
  });

  test('when the sign-in rules change', async () => {
    const [types] = await follow(t.as('administrator'));
    await users().updateUserValidation({ emailValidationRegex: '.*@northwind.example' });
    await tokens().create({ name: 'after' });
    expect(await types).toEqual(['USER_VALIDATION_UPDATED']);
    await t.app.db.orm.delete(userValidation).where(eq(userValidation.organization, 'northwind'));
  });

  test('when its owner is removed, after delivering the events of the deleted tokens', async () => {
    const { id } = demoPerson('developer');
    const [before] = await t.app.db.orm.select().from(membership).where(eq(membership.userId, id));
    const ownMembership = eq(membership.userId, id);
    await t.app.db.orm
      .update(membership)
      .set({ roles: ['administrator'] })
      .where(ownMembership);
    await t.as('developer').client(TokenService).create({ name: 'personal', type: Token_Type.PERSONAL });
    const [types] = await follow(t.as('developer'));
    await users().remove({ userIds: [id] });
    await tokens().create({ name: 'afterwards' });
    expect(await types).toEqual(['TOKEN_DELETED', 'USER_REMOVED']);
    await t.app.db.orm.insert(membership).values(before!);
  });

  test("unless its owner can't see the event", async () => {
    const { id } = demoPerson('viewer');
    const [before] = await t.app.db.orm.select().from(membership).where(eq(membership.userId, id));
    const [types] = await follow(t.as('viewer'));
    await users().remove({ userIds: [id] });
    expect(await types).toEqual([]);
    await t.app.db.orm.insert(membership).values(before!);
  });
});

describe('a stream continues', () => {
  test('when another token of its owner is deleted, or another support session ends', async () => {
    const otherOrganization = 'northwind-north';
    const staff = t.as('support').client(SupportService);
    const { created } = await tokens().create({ name: 'other' });
    const [types] = await follow(t.as('administrator'));
    const [stream] = await follow(t.as('support'), { organization: 'northwind' });
    await staff.beginSupportSession({ organization: otherOrganization });
    await staff.endSupportSession({ organization: otherOrganization });
    await tokens().delete({ tokenId: created!.id });
    await t.as('administrator').client(TagService).list({});
    await t
      .as('administrator')
      .client(RoleService)
      .override({ selection: { roles: { include: ['viewer'] } } });
    expect(await types).toEqual(['TOKEN_DELETED']);
    await t.as('administrator').client(RoleService).restore({});
    await staff.endSupportSession({ organization: 'northwind' });
    expect(await stream).toEqual(['TOKEN_DELETED']);
  });
});

describe('a stream of support staff', () => {
  test('ends with its support session, on request or on expiry, and is recorded', async () => {
    const staff = t.as('support').client(SupportService);
    const audit = t.as('administrator').client(SupportService);
    const request = { organization: 'northwind-permian' };
    const { supportSession } = await staff.beginSupportSession(request);
    const [ended] = await follow(t.as('support'), request);
    await staff.endSupportSession(request);
    expect(await ended).toEqual([]);
    const { calls } = await audit.listCalls({ ...request, supportSessionId: supportSession!.id });
    expect(calls).toMatchObject([{ rpc: 'EventService.Stream', outcome: 'ok' }]);

    await staff.beginSupportSession(request);
    t.advance(3_600_000 - 2000);
    const [expired] = await follow(t.as('support'), request);
    expect(await expired).toEqual([]);
  });
});
