import { eq, sql } from 'drizzle-orm';

import { Modem_Lifecycle, Modem_Type } from '#proto/gen/hiber/modem_pb.ts';
import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import type { Database, Tx } from '#server/db/database.ts';
import { counter } from '#server/db/schema/counter.ts';
import { device } from '#server/db/schema/device.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { accessRequest, invitation, INVITATION_VALID_FOR_MS } from '#server/db/schema/membership-request.ts';
import { message } from '#server/db/schema/message.ts';
import { organization } from '#server/db/schema/organization.ts';
import { publisher, publisherCall } from '#server/db/schema/publisher.ts';
import { signIn } from '#server/db/schema/sign-in.ts';
import { supportCall, supportSession } from '#server/db/schema/support.ts';
import { deviceTag, tag, webhookTag } from '#server/db/schema/tag.ts';
import { token } from '#server/db/schema/token.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { deviceUpdated } from '#server/domains/fleet/device/model/events.ts';
import { loadDeviceSubjects } from '#server/domains/fleet/device/model/subject.ts';
import { ALARM, defaultHealthLevels, HEALTHY } from '#server/domains/people/organization/default-health-levels.ts';
import { recordEvents } from '#server/events/record.ts';
import type { RoleIdentifier } from '#server/policies/roles.ts';
import { insertWebhooks } from '#server/publishing/targets/webhook/rows.ts';
import { hashApiToken } from '#server/session/api-token.ts';

import type { TestIdentity } from './server.ts';

/** Two unrelated customers with the same ids, except for ids that are globally unique. */
export const tenants = ['alpha', 'beta'] as const;
export type TenantName = (typeof tenants)[number];

/** The organization whose members are the support staff. */
export const DESK_ORGANIZATION = 'desk';

const roleNames = ['viewer', 'operator', 'developer', 'installer', 'administrator'] as const;
type MemberRole = (typeof roleNames)[number];
/** The numbers of a tenant's members with the same role, and of the staff members. */
const memberNumbers = [1, 2] as const;
type MemberNumber = (typeof memberNumbers)[number];

export interface Tenant {
  /** The slug of the organization. Its only child is `child`. */
  readonly id: TenantName;
  readonly child: string;
  /** Numbers of its devices. The fourth is decommissioned, which customers don't see. */
  readonly devices: readonly [string, string, string, string];
  /** Returns a user with the given role, to sign in with `createIdToken`. */
  member(role: MemberRole, index?: MemberNumber): TestIdentity;
  /** A suspended administrator. */
  readonly suspendedIdentity: TestIdentity;
  /**
   * Bearers of tokens 1 (SPECIFIC, all permissions), 2 (SPECIFIC, only MODEMS), and 3 (PERSONAL, of administrator 2).
   */
  readonly tokens: readonly [string, string, string];
}

export interface Tenants {
  readonly alpha: Tenant;
  readonly beta: Tenant;
  /** Administrator in alpha and viewer in beta. */
  readonly memberOfBoth: TestIdentity;
  /** Support staff, members of `DESK_ORGANIZATION` only. */
  staff(index: MemberNumber): TestIdentity;
}

/** Ids that exist in both tenants. */
export const sharedIds = {
  tags: [1, 2, 3],
  webhooks: [1, 2, 3],
  tokens: [1, 2, 3],
  supportSessions: [1, 2],
} as const;

/** Sequences that all organizations share in production. Restarted for each tenant to make their ids collide. */
const sequences = ['event_id', 'message_id', 'publisher_delivery_id', 'publisher_call_id', 'support_call_id_seq'];
/** Far above the ids in any seed. */
const FIRST_SEQUENCE_ID = 1_000_000;

const HOUR = 3_600_000;

const person = (id: string, name: string): TestIdentity => ({ id, name, email: `${id}@example.com` });
const createMember = (tenant: TenantName, role: MemberRole, index: MemberNumber): TestIdentity =>
  person(`${tenant}-${role}-${index}`, `${role} ${index}`);
const staff = (index: MemberNumber): TestIdentity => person(`staff-${index}`, `Staff ${index}`);
const memberOfBoth = person('in-both', 'In both');

const bearer = (tenant: TenantName, id: number): string => `qd_${tenant}-${id}`.padEnd(46, 'x');

function createTenant(id: TenantName): Tenant {
  const prefix = id === 'alpha' ? 'AAAA' : 'BBBB';
  return {
    id,
    child: `${id}-child`,
    devices: [`${prefix} 0001`, `${prefix} 0002`, `${prefix} 0003`, `${prefix} 0004`],
    member: (role, index = 1) => createMember(id, role, index),
    suspendedIdentity: person(`${id}-suspended`, 'Suspended'),
    tokens: [bearer(id, 1), bearer(id, 2), bearer(id, 3)],
  };
}

/**
 * Adds both tenants to a migrated database, seeded or empty: `await addTenants(t.app.db, t.app.now())`. Each has:
 *
 * - members: two with each role, one suspended member, and one user who is a member of both tenants; an invitation and
 *   an access request, for the same users in both tenants; a sign-in `browser` for everyone
 * - devices 1 to 4 with tags 1 to 3 (device n has tag n), with a message and an event each
 * - webhooks 1 to 3: 2 is disabled, and 3 has tag 3; a delivery waits for 1 and 3, and each webhook has one call
 * - tokens 1 to 3
 * - support session 1 of staff 1 and session 2 of staff 2, with a call each; only session 2 allows changes in alpha,
 *   and only session 1 in beta
 */
export async function addTenants(db: Database, now: Date): Promise<Tenants> {
  const bothTenants: Tenants = {
    alpha: createTenant('alpha'),
    beta: createTenant('beta'),
    memberOfBoth,
    staff,
  };
  await db.transaction(async (tx) => {
    await addOrganizations(tx, bothTenants);
    await addPeople(tx, bothTenants, now);
    for (const name of tenants) {
      for (const sequence of sequences) await tx.execute(sql`select setval(${sequence}, ${FIRST_SEQUENCE_ID}, false)`);
      await addFleet(tx, bothTenants[name], now);
      await addPublishers(tx, bothTenants[name], now);
      await addTokens(tx, bothTenants[name], now);
      await addSupportSessions(tx, bothTenants[name], now);
      await addEvents(tx, bothTenants[name], now);
    }
  });
  return bothTenants;
}

async function addOrganizations(tx: Tx, { alpha, beta }: Tenants): Promise<void> {
  const row = (id: string, parent?: string) => ({
    id,
    parent: parent ?? null,
    path: parent === undefined ? [id] : [parent, id],
    displayName: id,
  });
  const rows = [row(DESK_ORGANIZATION), ...[alpha, beta].flatMap(({ id, child }) => [row(id), row(child, id)])];
  await tx.insert(organization).values(rows);
  await tx
    .insert(healthLevel)
    .values(rows.flatMap(({ id }) => defaultHealthLevels.map((level) => ({ organization: id, ...level }))));
}

interface Member {
  readonly identity: TestIdentity;
  readonly organization: string;
  readonly roles: RoleIdentifier[];
  readonly suspendedAt?: Date;
}

async function addPeople(tx: Tx, bothTenants: Tenants, now: Date): Promise<void> {
  const members: Member[] = [
    ...memberNumbers.map((index) => ({
      identity: staff(index),
      organization: DESK_ORGANIZATION,
      roles: ['support' as const],
    })),
    ...[bothTenants.alpha, bothTenants.beta].flatMap((tenant): Member[] => [
      ...roleNames.flatMap((role) =>
        memberNumbers.map((index) => ({
          identity: tenant.member(role, index),
          organization: tenant.id,
          roles: [role],
        })),
      ),
      { identity: tenant.suspendedIdentity, organization: tenant.id, roles: ['administrator'], suspendedAt: now },
    ]),
    { identity: memberOfBoth, organization: 'alpha', roles: ['administrator'] },
    { identity: memberOfBoth, organization: 'beta', roles: ['viewer'] },
  ];
  const applicant = person('applicant', 'Applicant');
  const homes = new Map(members.toReversed().map(({ identity, organization: home }) => [identity, home]));
  const accounts = [...homes, [applicant, null] as const];
  await tx
    .insert(appUser)
    .values(accounts.map(([{ id, email, name }, defaultOrganization]) => ({ id, email, name, defaultOrganization })));
  await tx.insert(membership).values(members.map(({ identity, ...fields }) => ({ userId: identity.id, ...fields })));
  await tx
    .insert(signIn)
    .values(accounts.map(([{ id }]) => ({ userId: id, id: 'browser', signedInAt: now, lastSeenAt: now })));
  const rows = tenants.map((id) => ({ organization: id, createdAt: now }));
  await tx.insert(accessRequest).values(rows.map((item) => ({ ...item, userId: applicant.id })));
  await tx.insert(invitation).values(
    rows.map((item) => ({
      ...item,
      email: 'invited@example.com',
      roles: [item.organization === 'alpha' ? 'operator' : 'viewer'],
      invitedBy: createMember(item.organization, 'administrator', 1).id,
      expiresAt: new Date(now.getTime() + INVITATION_VALID_FOR_MS),
    })),
  );
}

async function addFleet(tx: Tx, { id, devices }: Tenant, now: Date): Promise<void> {
  const numbers = [1, 2, 3, 4];
  await tx.insert(device).values(
    devices.map((number, index) => ({
      organization: id,
      number,
      name: `Pump ${index + 1}`,
      type: index === 0 ? Modem_Type.GATEWAY : Modem_Type.SENSOR,
      lifecycle: index === 3 ? Modem_Lifecycle.DECOMMISSIONED : Modem_Lifecycle.INSTALLED,
      healthLevel: index === 1 ? ALARM : HEALTHY,
      gateway: index === 0 ? null : devices[0],
    })),
  );
  await tx
    .insert(tag)
    .values(sharedIds.tags.map((tag) => ({ organization: id, id: tag, name: `Group ${tag}`, type: 'group' })));
  await tx
    .insert(deviceTag)
    .values(
      numbers.slice(0, 3).map((number) => ({ organization: id, number: devices[number - 1] ?? '', tag: number })),
    );
  await tx.insert(message).values(
    devices.map((number, index) => ({
      organization: id,
      number,
      receivedAt: now,
      sentAt: new Date(now.getTime() - (index + 1) * 60_000),
      body: Buffer.from(`${id} ${index + 1}`),
    })),
  );
  await setCounter(tx, id, 'tag', sharedIds.tags.length);
}

async function addPublishers(tx: Tx, { id, member }: Tenant, now: Date): Promise<void> {
  const createdBy = member('developer').id;
  const url = (value: number) => `https://${id}.example/${value}`;
  await insertWebhooks(
    tx,
    sharedIds.webhooks.map((webhook) => ({
      organization: id,
      id: webhook,
      description: `Receiver ${webhook}`,
      url: url(webhook),
      disabled: webhook === 2,
      createdBy,
    })),
  );
  await tx.insert(webhookTag).values({ organization: id, webhook: 3, tag: 3 });
  await tx.insert(publisherCall).values(
    sharedIds.webhooks.map((webhook) => ({
      organization: id,
      publisher: webhook,
      time: now,
      url: url(webhook),
      headers: {},
      bodyProto: Buffer.from(''),
      bodyJson: '{}',
      status: webhook === 2 ? 500 : 204,
      successful: webhook !== 2,
    })),
  );
  await setCounter(tx, id, 'publisher', sharedIds.webhooks.length);
}

async function addTokens(tx: Tx, { id, member, tokens: bearers }: Tenant, now: Date): Promise<void> {
  const permissions = Object.values(OrganizationPermission).filter((value) => typeof value === 'number');
  const row = (number: 1 | 2 | 3, userId: string, fields: Partial<typeof token.$inferInsert>) => ({
    organization: id,
    id: number,
    name: `Token ${number}`,
    userId,
    hash: hashApiToken(bearers[number - 1] ?? ''),
    type: Token_Type.SPECIFIC,
    expiresAt: new Date(now.getTime() + 24 * HOUR),
    ...fields,
  });
  await tx.insert(token).values([
    row(1, member('administrator').id, {
      organizationPermissions: permissions,
      userPermissions: [UserPermission.READ, UserPermission.UPDATE],
    }),
    row(2, member('administrator').id, { organizationPermissions: [OrganizationPermission.MODEMS] }),
    row(3, member('administrator', 2).id, { type: Token_Type.PERSONAL }),
  ]);
  await setCounter(tx, id, 'token', sharedIds.tokens.length);
}

async function addSupportSessions(tx: Tx, { id }: Tenant, now: Date): Promise<void> {
  const changeableSession = id === 'alpha' ? 2 : 1;
  for (const index of memberNumbers) {
    await tx.insert(supportSession).values({
      organization: id,
      id: index,
      userId: staff(index).id,
      reason: `Reason ${index} in ${id}`,
      beganAt: now,
      endsAt: new Date(now.getTime() + HOUR),
      changesAllowedAt: index === changeableSession ? now : null,
    });
    await tx.insert(supportCall).values({
      organization: id,
      supportSession: index,
      time: now,
      rpc: `TagService.${index === 1 ? 'List' : 'Count'}`,
      changes: false,
      outcome: 'ok',
    });
  }
  await setCounter(tx, id, 'support_visit', sharedIds.supportSessions.length);
}

/** Adds one event per device, with a delivery to every enabled webhook that is subscribed to it. */
async function addEvents(tx: Tx, { id, devices }: Tenant, now: Date): Promise<void> {
  const subjects = await loadDeviceSubjects(tx, id, devices);
  await tx
    .update(publisher)
    .set({ tagFilter: { include: [3], exclude: [] } })
    .where(sql`${eq(publisher.organization, id)} and ${eq(publisher.id, 3)}`);
  await recordEvents(
    tx,
    devices.flatMap((number) => {
      const subject = subjects.get(number);
      return subject === undefined ? [] : [deviceUpdated(subject, now, { notes: `of ${id}`, changed: ['notes'] })];
    }),
  );
}

const setCounter = (tx: Tx, organizationId: string, noun: string, value: number) =>
  tx.insert(counter).values({ organization: organizationId, noun, value });
