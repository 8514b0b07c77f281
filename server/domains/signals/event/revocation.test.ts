import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { EventService, type EventStreamRequest } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import { RoleService } from '#proto/gen/hiber/role_service_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { userValidation } from '#server/db/schema/membership-request.ts';
import { organization } from '#server/db/schema/organization.ts';
import { signIn } from '#server/db/schema/sign-in.ts';
import { token } from '#server/db/schema/token.ts';
import { appUser, membership, roleOverride } from '#server/db/schema/user.ts';
import { newEvent } from '#server/events/new-event.ts';
import { recordEvents } from '#server/events/record.ts';
import {
  demoPerson,
  createIdToken,
  startTestServer,
  type TestCaller,
  type TestServer,
} from '#server/testkit/server.ts';

/**
 * A revocation happens up to this many database round trips after a stream starts opening, so it can fall between any
 * two reads. Each round opens a stream on every other round trip because a user can have only eight streams.
 */
const MAX_TURNS = 8;
/**
 * Each round opens four streams, so PostgreSQL gets 200 races per revocation. The embedded database runs one statement
 * at a time, so its races vary less and 40 are enough.
 */
const ROUNDS = process.env['TEST_DATABASE_URL'] === undefined ? 10 : 50;

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const viewer = demoPerson('viewer');
const db = () => t.app.db.orm;
const clientAs = <S extends Parameters<TestCaller['client']>[0]>(kind: Parameters<TestServer['as']>[0], service: S) =>
  t.as(kind).client(service);

/** Every member can see events of this type, so any open stream delivers the probe. */
const probeType = EventType.ORGANIZATION_EVENT_CONFIGURATION_UPDATED;
async function probe(organizationId: string): Promise<void> {
  const delivery = new Promise<void>((resolve) => {
    const stop = t.app.bus.subscribe([organizationId], {
      receive: (events) => {
        if (!events.some(({ type }) => type === probeType)) return;
        stop();
        resolve();
      },
    });
  });
  const envelope = {
    organization: organizationId,
    time: t.app.now(),
    type: probeType,
    title: 'Probe',
    description: 'Probe',
  };
  await t.app.db.transaction((tx) =>
    recordEvents(tx, [
      newEvent(envelope, (common) => ({ case: 'organizationEventConfigurationUpdated', value: { ...common } })),
    ]),
  );
  await delivery;
}

type Stream = AsyncIterator<Event>;

/** Opens a stream. Returns undefined if it's denied, or if it ends before confirming that it's open. */
async function openStream(caller: TestCaller, request: Partial<EventStreamRequest>, signal: AbortSignal) {
  const options = { headers: { 'quarterdeck-keep-alive': '300' }, signal };
  const messages = caller.client(EventService).stream(request, options)[Symbol.asyncIterator]();
  try {
    return (await messages.next()).done ? undefined : messages;
  } catch {
    return undefined;
  }
}

/** True if the stream delivers the probe, which means that it outlived the preceding revocation. */
async function isOpenStream(stream: Stream | undefined): Promise<boolean> {
  if (stream === undefined) return false;
  for (;;) {
    const { done, value } = await stream.next();
    if (done) return false;
    if (value.type === probeType) return true;
  }
}

interface Revocation {
  readonly getCaller: () => TestCaller;
  readonly request?: Partial<EventStreamRequest>;
  /** The organization whose events a surviving stream would deliver. */
  readonly probeOrganization?: string;
  readonly prepare?: () => Promise<unknown>;
  readonly revoke: () => Promise<unknown>;
  readonly restore: () => Promise<unknown>;
  /** Whether a surviving stream is a violation; true by default. */
  readonly isViolation?: () => Promise<boolean>;
}

const anHourAgo = new Date(Date.now() - 3_600_000);
const asViewer = () => t.as('viewer');
const users = () => clientAs('administrator', UserService);
const userIds = [viewer.id];
const CHILD = 'northwind-race';
const inNorthwind = { organization: 'northwind', userId: viewer.id };

let secret = '';
let storedToken: typeof token.$inferSelect;
async function createToken(): Promise<void> {
  const include = [OrganizationPermission.MODEMS];
  const name = `race ${Math.random()}`;
  const created = await clientAs('developer', TokenService).create({ name, organizationPermissions: { include } });
  secret = created.token;
  [storedToken] = (await db().select().from(token).where(eq(token.name, name))) as [typeof storedToken];
}

async function createChild(): Promise<void> {
  const path = ['northwind', CHILD];
  await db().insert(organization).values({ id: CHILD, parent: 'northwind', path, displayName: 'Race' });
}

const revocations: Record<string, Revocation> = {
  'a suspension': {
    getCaller: asViewer,
    revoke: () => users().suspend({ userIds }),
    restore: () => db().update(membership).set({ suspendedAt: null }).where(eq(membership.userId, viewer.id)),
  },
  'a removal from the organization': {
    getCaller: asViewer,
    revoke: () => users().remove({ userIds }),
    restore: () =>
      db()
        .insert(membership)
        .values({ ...inNorthwind, roles: ['viewer'] }),
  },
  'a change to roles': {
    getCaller: asViewer,
    revoke: () => users().updateUserRoles({ userIds, update: { case: 'replace', value: { roles: ['installer'] } } }),
    restore: () =>
      db()
        .update(membership)
        .set({ roles: ['viewer'] })
        .where(eq(membership.userId, viewer.id)),
  },
  'the revocation of all sessions': {
    getCaller: asViewer,
    revoke: () => users().revokeSession({ userIds }),
    restore: async () => {
      await db().update(appUser).set({ sessionsRevokedAt: null }).where(eq(appUser.id, viewer.id));
      await db().delete(signIn).where(eq(signIn.userId, viewer.id));
    },
  },
  'the revocation of a sign-in': {
    getCaller: () => t.with(createIdToken({ ...viewer, authTime: anHourAgo })),
    prepare: () =>
      t
        .with(createIdToken({ ...viewer, authTime: anHourAgo }))
        .client(CurrentUserService)
        .currentUser({}),
    // Ends all other sign-ins of the viewer.
    revoke: () => asViewer().client(SessionService).revoke({}),
    restore: () => db().delete(signIn).where(eq(signIn.userId, viewer.id)),
  },
  'the deletion of a token': {
    getCaller: () => t.with(secret),
    prepare: createToken,
    revoke: () => clientAs('administrator', TokenService).delete({ tokenId: BigInt(storedToken.id) }),
    restore: () => db().delete(token).where(eq(token.id, storedToken.id)),
  },
  "a change to a token's permissions": {
    getCaller: () => t.with(secret),
    prepare: createToken,
    revoke: () =>
      clientAs('developer', TokenService).updateTokenOrganizationPermissions({
        tokenIds: [BigInt(storedToken.id)],
        removeOrganizationPermissions: [OrganizationPermission.MODEMS],
      }),
    restore: () => db().delete(token).where(eq(token.id, storedToken.id)),
  },
  'the deletion of an account': {
    getCaller: asViewer,
    revoke: () => asViewer().client(CurrentUserService).deleteCurrentUser({}),
    restore: async () => {
      const { name } = viewer;
      await db()
        .update(appUser)
        .set({ deletedAt: null, name, defaultOrganization: 'northwind' })
        .where(eq(appUser.id, viewer.id));
      await db()
        .insert(membership)
        .values({ ...inNorthwind, roles: ['viewer'] });
    },
  },
  'the end of a support session': {
    getCaller: () => t.as('support'),
    request: { organization: 'northwind' },
    prepare: () => clientAs('support', SupportService).beginSupportSession({ organization: 'northwind' }),
    revoke: () => clientAs('support', SupportService).endSupportSession({ organization: 'northwind' }),
    // A stream that opens just after the session ends starts another session, so it can stay open.
    isViolation: async () => {
      const { rows } = await db().execute<{ count: number }>(sql`
        select count(*)::int from support_call call join support_visit visit on visit.organization = call.organization
          and visit.id = call.visit where call.outcome is null and visit.ends_at <= ${t.app.now().toISOString()}`);
      return rows[0]?.count !== 0;
    },
    restore: () => db().execute(sql`delete from support_visit`),
  },
  'a role override': {
    getCaller: () => t.as('administrator'),
    revoke: () => clientAs('administrator', RoleService).override({ selection: { roles: { include: ['viewer'] } } }),
    restore: () => db().delete(roleOverride),
  },
  'the end of a role override': {
    getCaller: () => t.as('administrator'),
    prepare: () => clientAs('administrator', RoleService).override({ selection: { roles: { include: ['viewer'] } } }),
    revoke: () => clientAs('administrator', RoleService).restore({}),
    restore: () => db().delete(roleOverride),
  },
  'the deletion of the organization': {
    getCaller: asViewer,
    request: { organization: CHILD },
    probeOrganization: CHILD,
    prepare: createChild,
    revoke: () => clientAs('administrator', OrganizationService).delete({ organizationToDelete: CHILD }),
    restore: () => db().delete(organization).where(eq(organization.id, CHILD)),
  },
  'the deletion of a child organization': {
    getCaller: asViewer,
    request: { childOrganizations: { include: [CHILD] } } as Partial<EventStreamRequest>,
    prepare: createChild,
    revoke: () => clientAs('administrator', OrganizationService).delete({ organizationToDelete: CHILD }),
    restore: () => db().delete(organization).where(eq(organization.id, CHILD)),
  },
  'a change to the sign-in rules': {
    getCaller: asViewer,
    revoke: () => users().updateUserValidation({ emailValidationRegex: 'administrator@.*' }),
    restore: () =>
      db()
        .delete(userValidation)
        .where(inArray(userValidation.organization, ['northwind'])),
  },
};

/** Revokes access while streams are opening, and returns how many streams outlived the revocation. */
async function runRound(revocation: Revocation, phase: number): Promise<number> {
  await revocation.prepare?.();
  const stop = new AbortController();
  const opening: ReturnType<typeof openStream>[] = [];
  for (let turns = MAX_TURNS - 1; turns >= 0; turns -= 1) {
    if (turns % 2 === phase) opening.push(openStream(revocation.getCaller(), revocation.request ?? {}, stop.signal));
    if (turns > 0) await db().execute(sql`select 1`);
  }
  await revocation.revoke();
  const streams = await Promise.all(opening);
  await probe(revocation.probeOrganization ?? 'northwind');
  const survivors = (await Promise.all(streams.map(isOpenStream))).filter(Boolean).length;
  const isViolation = survivors > 0 && ((await revocation.isViolation?.()) ?? true);
  stop.abort();
  await revocation.restore();
  return isViolation ? survivors : 0;
}

describe('no stream outlives', () => {
  test.each(Object.entries(revocations))(
    '%s, whichever happens first',
    async (_, revocation) => {
      let survivors = 0;
      for (let index = 0; index < ROUNDS; index += 1) survivors += await runRound(revocation, index % 2);
      expect(survivors).toBe(0);
      // Long enough for slow rounds, so only a hang fails the test.
    },
    400_000,
  );
});
