import {
  Code,
  type ConnectRouter,
  createClient,
  createRouterTransport,
  type HandlerContext,
  type Interceptor,
} from '@connectrpc/connect';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { currentWork } from '#server/db/pool/work.ts';
import { userValidation } from '#server/db/schema/membership-request.ts';
import { organization } from '#server/db/schema/organization.ts';
import { signIn } from '#server/db/schema/sign-in.ts';
import { supportCall, supportSession } from '#server/db/schema/support.ts';
import { token as tokens } from '#server/db/schema/token.ts';
import { appUser, membership, roleOverride } from '#server/db/schema/user.ts';
import { policyOf } from '#server/http/rpc/policy-of.ts';
import {
  demoPerson,
  createIdToken,
  startTestServer,
  type TestIdentity,
  type TestServer,
  transportFor,
} from '#server/testkit/server.ts';

import { onAccessChanged } from './access-changes.ts';
import { sessionInterceptor } from './interceptor.ts';
import { recordSignIn } from './sign-ins.ts';

// Bo is a member of both organizations; the last organization by name was inserted first.
const [north, south] = ['calls-north', 'calls-south'];
const bo: TestIdentity = { id: 'bo', email: 'bo@example.com', name: 'Bo' };

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
  const { orm } = t.app.db;
  await orm.insert(organization).values([south, north].map((id) => ({ id, path: [id], displayName: `All ${id}` })));
  await orm.insert(appUser).values({ ...bo, emailVerified: true });
  await orm
    .insert(membership)
    .values([south, north].map((id) => ({ organization: id, userId: bo.id, roles: ['administrator'] })));
});
beforeEach(async () => {
  const { orm } = t.app.db;
  for (const table of [tokens, supportSession, roleOverride, userValidation, signIn]) await orm.delete(table);
  await orm.update(membership).set({ suspendedAt: null }).where(eq(membership.userId, bo.id));
  await orm.update(appUser).set({ defaultOrganization: null }).where(eq(appUser.id, bo.id));
});
afterAll(() => t.close());

const as = (identity: TestIdentity) => t.with(createIdToken(identity));
const loadCurrentUser = (identity: TestIdentity) => as(identity).client(CurrentUserService).currentUser({});
const addBarringRule = (id: string) =>
  t.app.db.orm.insert(userValidation).values({ organization: id, emailRegex: `nobody@${id}`, providers: [] });

describe('a user who signs in', () => {
  test('is recorded only once, even with concurrent first calls', async () => {
    const cy = { id: 'cy', email: 'cy@example.com', name: 'Cy', authTime: new Date(Date.now() - 60_000) };
    const responses = await Promise.all(Array.from({ length: 6 }, () => loadCurrentUser(cy)));
    expect(new Set(responses.map(({ id }) => id))).toEqual(new Set(['cy']));
    expect(await t.app.db.orm.select().from(signIn).where(eq(signIn.userId, 'cy'))).toHaveLength(1);
  });

  test('keeps their stored name if the identity provider has none', async () => {
    await expect(loadCurrentUser({ ...bo, name: '' })).resolves.toMatchObject({ name: 'Bo' });
    await expect(loadCurrentUser({ ...bo, name: 'Bo Berg' })).resolves.toMatchObject({ name: 'Bo Berg' });
    await expect(loadCurrentUser({ ...bo, name: '' })).resolves.toMatchObject({ name: 'Bo Berg' });
    await expect(loadCurrentUser(bo)).resolves.toMatchObject({ name: 'Bo' });
  });

  test('has a verified address only while signed in with it', async () => {
    const requestAccess = (identity: TestIdentity) =>
      as(identity).client(CurrentUserService).requestAccess({ organization: 'no-such-place' });
    await expect(requestAccess({ ...bo, emailVerified: false })).rejects.toThrow(
      'Verify your email address bo@example.com',
    );
    await expect(requestAccess(bo)).resolves.toBeDefined();
    // Someone else has that address here, so it isn't Bo's, even if the provider verified it.
    const { email } = demoPerson('operator');
    await expect(requestAccess({ ...bo, email })).rejects.toThrow('Verify your email address bo@example.com');
    await expect(requestAccess(bo)).resolves.toBeDefined();
  });

  test('can take the address of a deleted account', async () => {
    const email = 'old@example.com';
    await t.app.db.orm.insert(appUser).values({ id: 'old', email, name: 'Old', deletedAt: t.app.now() });
    await expect(loadCurrentUser({ ...bo, email })).resolves.toMatchObject({ email });
    await expect(loadCurrentUser(bo)).resolves.toMatchObject({ email: bo.email });
  });

  test("gets Unavailable, not Unauthenticated, when the provider can't be reached", async () => {
    vi.spyOn(t.app.identity, 'verify').mockRejectedValueOnce(new Error('connect ECONNREFUSED'));
    await expect(loadCurrentUser(bo)).rejects.toMatchObject({
      code: Code.Unavailable,
      rawMessage: "The identity provider can't be reached to verify your sign-in.",
    });
  });

  test('learns why no organization is accessible', async () => {
    const getOrganization = (identity: TestIdentity) => as(identity).client(OrganizationService).get({});
    const nobody = { id: 'di', email: 'di@example.com', name: 'Di' };
    await expect(getOrganization(nobody)).rejects.toThrow(
      "You're not a member of any organization yet. Join one first.",
    );
    await addBarringRule(north);
    await expect(getOrganization(bo)).resolves.toMatchObject({ organization: south });
    await addBarringRule(south);
    await expect(getOrganization(bo)).rejects.toThrow(
      '"calls-north" only admits addresses that match nobody@calls-north',
    );
    await t.app.db.orm.delete(userValidation);
    await t.app.db.orm.update(membership).set({ suspendedAt: t.app.now() }).where(eq(membership.userId, bo.id));
    await expect(getOrganization(bo)).rejects.toThrow('suspended by an administrator of All calls-north');
  });
});

describe('a call without an organization', () => {
  const organizationOfCall = async () => (await as(bo).client(OrganizationService).get({})).organization;
  const setDefault = (id: string) =>
    t.app.db.orm.update(appUser).set({ defaultOrganization: id }).where(eq(appUser.id, bo.id));

  test('uses the default organization or, without access to it, the first by name', async () => {
    expect(await organizationOfCall()).toBe(north);
    await setDefault(south);
    expect(await organizationOfCall()).toBe(south);
    await addBarringRule(south);
    expect(await organizationOfCall()).toBe(north);
    await setDefault('quarterdeck');
    expect(await organizationOfCall()).toBe(north);
  });

  test('charges its database time to the organization it resolves to', async () => {
    const accounts: (string | undefined)[] = [];
    const record = vi
      .spyOn(t.app.activity, 'record')
      .mockImplementation(() => void accounts.push(currentWork()?.account));
    try {
      await organizationOfCall();
      await as(bo).client(OrganizationService).get({ organization: south });
    } finally {
      record.mockRestore();
    }
    expect(accounts).toEqual([north, south]);
  });

  test("lists the caller's organizations in order of name", async () => {
    const { token } = await as(bo).client(TokenService).create({ name: 'mine' });
    expect((await loadCurrentUser(bo)).organizations).toEqual([north, south]);
    expect(token).toMatch(/^qd_/);
  });
});

test('ignores role overrides of other users', async () => {
  await t.app.db.orm.insert(roleOverride).values({ organization: 'northwind', userId: 'demo-operator', roles: [] });
  const { roles } = await t.as('administrator').client(CurrentUserService).currentUser({});
  expect(roles).toEqual(['administrator']);
});

describe('a token', () => {
  const freezeClock = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const createToken = async () => {
    const { token, created } = await as(bo)
      .client(TokenService)
      .create({ name: `${Math.random()}` });
    const row = and(eq(tokens.organization, north), eq(tokens.id, Number(created!.id)));
    const useToken = () => t.with(token).client(OrganizationService).get({});
    return { row, useToken };
  };

  test('is denied as soon as it expires', async () => {
    freezeClock();
    try {
      const { row, useToken } = await createToken();
      const expire = (ms: number) =>
        t.app.db.orm
          .update(tokens)
          .set({ expiresAt: new Date(t.app.now().getTime() + ms) })
          .where(row);
      await expire(1);
      await expect(useToken()).resolves.toMatchObject({ organization: north });
      await expire(0);
      await expect(useToken()).rejects.toThrow('has expired');
    } finally {
      vi.useRealTimers();
    }
  });

  test('records the day of its last use, written once a day', async () => {
    const { row, useToken } = await createToken();
    const readToken = async () => {
      const [storedRow] = await t.app.db.orm
        .select({ lastUsed: tokens.lastUsed, version: sql<string>`xmin::text` })
        .from(tokens)
        .where(row);
      return storedRow;
    };
    await useToken();
    const first = await readToken();
    expect(first?.lastUsed).toBe(t.app.now().toISOString().slice(0, 10));
    await useToken();
    expect(await readToken()).toEqual(first);
  });
});

describe("a sign-in's last use", () => {
  const timeAt = (ms: number) => new Date(Date.UTC(2026, 10, 20) + ms);
  const MINUTE = 60_000;
  const caller = { client: 'console', version: '', userAgent: 'Firefox' };
  const identity = { authenticatedAt: timeAt(0) } as Parameters<typeof recordSignIn>[3];
  const readSignIn = async () => (await t.app.db.orm.select().from(signIn).where(eq(signIn.userId, bo.id)))[0];
  const recordAt = (ms: number, existing: Awaited<ReturnType<typeof readSignIn>>, client = 'console') =>
    recordSignIn({ db: t.app.db, now: () => timeAt(ms) }, bo.id, 'desk', identity, { ...caller, client }, existing);

  test('is updated after a minute, by the first of concurrent calls', async () => {
    await recordAt(0, undefined);
    const first = await readSignIn();
    expect(first).toMatchObject({
      lastSeenAt: timeAt(0),
      signedInAt: timeAt(0),
      client: 'console',
      userAgent: 'Firefox',
    });
    await recordAt(MINUTE, first, 'too early');
    expect(await readSignIn()).toEqual(first);
    await recordAt(MINUTE + 1, first, 'cli');
    await recordAt(MINUTE + 2, first, 'late');
    expect(await readSignIn()).toMatchObject({ lastSeenAt: timeAt(MINUTE + 1), client: 'cli' });
  });
});

describe('a stream', () => {
  test('requires a request message', async () => {
    const transport = transportFor(t.app, createIdToken(bo));
    const noMessages = (async function* () {})();
    const { stream } = EventService.method;
    const response = transport.stream(stream, undefined, undefined, undefined, noMessages);
    const reading = response.then(async ({ message }) => message[Symbol.asyncIterator]().next());
    await expect(reading).rejects.toMatchObject({ code: Code.InvalidArgument });
  });

  test('stops watching access once it ends or is denied', async () => {
    const { watchAccess } = t.app.bus;
    const closings: { mock: { calls: unknown[] } }[] = [];
    vi.spyOn(t.app.bus, 'watchAccess').mockImplementation(() => {
      const watch = watchAccess();
      closings.push(vi.spyOn(watch, 'close'));
      return watch;
    });
    const stop = new AbortController();
    const options = { signal: stop.signal, headers: { 'quarterdeck-keep-alive': '300' } };
    const openStream = (organization: string) =>
      as(bo).client(EventService).stream({ organization }, options)[Symbol.asyncIterator]();
    await expect(openStream('no-such-place').next()).rejects.toThrow('no-such-place');
    const messages = openStream(north);
    await messages.next();
    const closed = () => closings.map(({ mock }) => mock.calls.length > 0);
    await expect.poll(closed, { timeout: 10_000 }).toEqual([true, false]);
    stop.abort();
    await expect(messages.next()).rejects.toMatchObject({ code: Code.Canceled });
    await expect.poll(closed, { timeout: 10_000 }).toEqual([true, true]);
  });

  test("sends nothing unless it watches its caller's access", async () => {
    const authorize: Interceptor = (next) => (request) => {
      request.header.set('authorization', `bearer ${createIdToken(bo)}`);
      return next(request);
    };
    const firstMessage = (respond: (context: HandlerContext) => void) => {
      const routes = (router: ConnectRouter) =>
        router.rpc(EventService.method.stream, async function* (_request, context) {
          respond(context);
          yield { title: 'Event' };
        });
      const transport = createRouterTransport(routes, {
        transport: { interceptors: [authorize] },
        router: { interceptors: [sessionInterceptor(t.app, policyOf)] },
      });
      return createClient(EventService, transport).stream({})[Symbol.asyncIterator]().next();
    };
    const watched = firstMessage((context) => onAccessChanged(context, [], () => {}));
    await expect(watched).resolves.toMatchObject({ value: { title: 'Event' } });
    await expect(firstMessage(() => {})).rejects.toMatchObject({ code: Code.Internal });
  });
});

describe('a call by support staff', () => {
  const staff = () => t.as('support');
  const outcomes = async (organization: string) =>
    (
      await t.app.db.orm
        .select()
        .from(supportCall)
        .where(eq(supportCall.organization, organization))
        .orderBy(supportCall.time, supportCall.id)
    ).map(({ rpc, outcome }) => [rpc, outcome]);

  test('is recorded with its own outcome', async () => {
    await staff().client(TagService).list({ organization: north });
    await staff()
      .client(TagService)
      .create({ organization: north, create: { name: 'x', type: 'group' } })
      .catch(() => undefined);
    await staff().client(TagService).list({ organization: south });
    expect(await outcomes(north)).toEqual([
      ['TagService.List', 'ok'],
      ['TagService.Create', 'permission_denied'],
    ]);
    expect(await outcomes(south)).toEqual([['TagService.List', 'ok']]);
  });

  test('is recorded as internal after an internal error', async () => {
    await staff().client(SupportService).beginSupportSession({ organization: north });
    const record = vi.spyOn(t.app.activity, 'record').mockImplementationOnce(() => {
      throw new Error('disk failure');
    });
    await expect(staff().client(TagService).list({ organization: north })).rejects.toMatchObject({
      code: Code.Internal,
    });
    record.mockRestore();
    expect(await outcomes(north)).toEqual([['TagService.List', 'internal']]);
  });

  test('is recorded as ok if it is a stream that ends together with its support session', async () => {
    const events = staff()
      .client(EventService)
      .stream({ organization: north }, { headers: { 'quarterdeck-keep-alive': '25' } });
    const messages = events[Symbol.asyncIterator]();
    await messages.next();
    await staff().client(SupportService).endSupportSession({ organization: north });
    for (let next = await messages.next(); !next.done; next = await messages.next());
    await expect.poll(() => outcomes(north)).toContainEqual(['EventService.Stream', 'ok']);
  });

  test('stays recorded as canceled when the client hangs up', async () => {
    const stop = new AbortController();
    const options = { signal: stop.signal, headers: { 'quarterdeck-keep-alive': '5' } };
    const messages = staff().client(EventService).stream({ organization: north }, options)[Symbol.asyncIterator]();
    await messages.next();
    stop.abort();
    await expect(messages.next()).rejects.toMatchObject({ code: Code.Canceled });
    await expect.poll(() => outcomes(north)).toEqual([['EventService.Stream', 'canceled']]);
    // One more round trip to the database. By then, the stream has also ended on the server.
    await staff().client(TagService).list({ organization: south });
    expect(await outcomes(north)).toEqual([['EventService.Stream', 'canceled']]);
  });
});
