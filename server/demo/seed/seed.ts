import { eq, sql } from 'drizzle-orm';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Sealer } from '#server/base/secrets.ts';
import { ADVISORY_LOCK } from '#server/db/advisory-lock.ts';
import type { Database, Tx } from '#server/db/database.ts';
import { mergeStoredCounts } from '#server/db/merge-stored-counts.ts';
import { withoutTimeLimit } from '#server/db/pool/work.ts';
import { counter } from '#server/db/schema/counter.ts';
import { deviceCondition } from '#server/db/schema/device-condition.ts';
import { deviceNote } from '#server/db/schema/device-note.ts';
import { device } from '#server/db/schema/device.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { accessRequest, invitation } from '#server/db/schema/membership-request.ts';
import { organization } from '#server/db/schema/organization.ts';
import { parser, parserDevice, parserField } from '#server/db/schema/parser.ts';
import { processPoint, processPointDevice, processPointTag } from '#server/db/schema/process-point.ts';
import { publisher } from '#server/db/schema/publisher.ts';
import { setting } from '#server/db/schema/setting.ts';
import { signIn, userActivity } from '#server/db/schema/sign-in.ts';
import { deviceTag, tag } from '#server/db/schema/tag.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { familyOf } from '#server/demo/simulator/payload.ts';
import { deviceFile, file, fileContent, filePart } from '#server/domains/data/file/schema.ts';
import { sealNotes } from '#server/domains/fleet/device/model/secure-notes.ts';
import { firmware } from '#server/domains/fleet/firmware/schema.ts';
import { defaultHealthLevels, HEALTHY } from '#server/domains/people/organization/default-health-levels.ts';
import { findLevel } from '#server/events/event-health.ts';
import { recordEvents } from '#server/events/record.ts';
import { insertWebhooks } from '#server/publishing/targets/webhook/rows.ts';

import { bulkInsert } from './bulk-insert.ts';
import { assignConditions, type ConditionRow } from './condition.ts';
import { parsingFailures, seedEvents } from './events.ts';
import { seedExports } from './exports.ts';
import { seedFiles } from './files.ts';
import { seedFirmware } from './firmware.ts';
import { type DeviceRow, buildFleet, type Fleet, createNumberSource } from './fleet.ts';
import { insertMessages, messageLimits } from './insert-messages.ts';
import { seedColleagues } from './members.ts';
import { planMessages } from './messages.ts';
import { seedNotes } from './notes.ts';
import { seedOrganizations } from './organizations.ts';
import { assignParsers, type SeededParsers, seedParsers } from './parsers.ts';
import { DEMO_ORGANIZATION, demoPeople } from './people.ts';
import { seedPoints } from './points.ts';
import { createRandom } from './random.ts';
import { seedTransfers } from './transfers.ts';
import { insertHistory, insertLatestValues, insertMessageValues } from './values.ts';
import { seedWebhooks } from './webhooks.ts';

export interface SeedOptions {
  /** `demo` is for users; `small` is for tests, with few organizations and little history. */
  readonly size: 'demo' | 'small';
  /**
   * False to leave out parsers, values, and process points. This is the default for `small` because tests create their
   * own.
   */
  readonly values?: boolean;
  /** The number of devices in the demo organization that customers can see. The seed adds a few hidden devices. */
  readonly devices?: number | undefined;
  /** All times in the seed are relative to this time. */
  readonly now: Date;
  /** Encrypts secrets. */
  readonly secrets: Sealer;
  /** Hears what is created next, because a large fleet takes minutes. */
  readonly onStep?: (title: string) => void;
}

/** The number of days before the seeding for which devices have values. */
const VALUE_DAYS = 7;

/** Increment this when the seed changes noticeably. Existing installations are never reseeded. */
const SEED_VERSION = 2;

const sizes = {
  demo: { devices: 2000, branch: 40, customers: 600, customerDevices: 6, messages: 30, history: 14 },
  small: { devices: 48, branch: 3, customers: 6, customerDevices: 2, messages: 6, history: 7 },
};

const MAX_EDITS = 4000;
const DAY = 86_400_000;

/**
 * Seeds an empty database with the demo data, once.
 *
 * @returns false if the database was already seeded
 */
export async function seedDatabase(database: Database, options: SeedOptions): Promise<boolean> {
  return withoutTimeLimit(() => seedOnce(database, options));
}

async function seedOnce(database: Database, options: SeedOptions): Promise<boolean> {
  const seeded = await database.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCK.seed})`);
    const [existing] = await tx.select().from(setting).where(eq(setting.key, 'seed'));
    if (existing) return false;
    await seed(tx, options);
    options.onStep?.('Saving the demo data');
    await tx.insert(setting).values({
      key: 'seed',
      value: { version: SEED_VERSION, size: options.size, devices: options.devices ?? sizes[options.size].devices },
    });
    return true;
  });
  // Update the planner's statistics and the visibility map. Test databases have too few rows to need this.
  if (seeded && (options.size === 'demo' || options.devices !== undefined)) {
    options.onStep?.('Analyzing the demo data');
    await database.pool.query('vacuum analyze');
  }
  return seeded;
}

async function seed(
  tx: Tx,
  { size, devices: requestedDevices, now, secrets, values = size === 'demo', onStep = () => undefined }: SeedOptions,
): Promise<void> {
  const counts = sizes[size];
  const count = requestedDevices ?? counts.devices;
  onStep(`Creating ${count.toLocaleString('en')} devices`);
  const { rows: organizations, branches, customers } = seedOrganizations(counts.customers, now);
  await bulkInsert(tx, organization, organizations);
  await insertPeople(tx, now);
  // Colleagues make the demo look lively, but tests expect only the people they name.
  const authors = size === 'demo' ? await insertColleagues(tx, now) : [];
  const levels = organizations.flatMap(({ id }) =>
    defaultHealthLevels.map((level) => ({ organization: id, ...level })),
  );
  await bulkInsert(tx, healthLevel, levels);

  const nextNumber = createNumberSource();
  const random = createRandom('fleet sizes');
  const hiddenCount = Math.max(4, Math.ceil(count / 50));
  const demoFleet = buildFleet(DEMO_ORGANIZATION, count + hiddenCount, nextNumber, now);
  const otherFleets = [
    ...branches.map((id) => buildFleet(id, counts.branch, nextNumber, now)),
    ...customers.map((id) => buildFleet(id, random.integer(1, 2 * counts.customerDevices), nextNumber, now)),
  ];
  for (const row of [demoFleet, ...otherFleets].flatMap((fleet) => fleet.devices)) {
    row.secureNotes = sealNotes(secrets, row.secureNotes ?? '');
  }
  const conditions = [demoFleet, ...otherFleets].map((fleet) =>
    assignConditions(fleet.devices, fleet === demoFleet ? hiddenCount : 0, fleet.devices[0]?.organization ?? '', now),
  );
  await bulkInsert(tx, firmware, seedFirmware(demoFleet, DEMO_ORGANIZATION));
  const parsers = values ? seedParsers(DEMO_ORGANIZATION, now) : undefined;
  const parsedOrganizations = new Set([DEMO_ORGANIZATION, ...branches]);
  const since = new Date(now.getTime() - counts.history * DAY);
  const isParsed = (device: DeviceRow) => parsers !== undefined && parsedOrganizations.has(device.organization);
  const fleets = [demoFleet, ...otherFleets];
  const devices = fleets.flatMap((fleet) => fleet.devices);
  const receipts = planMessages(devices, messageLimits(counts.messages, demoFleet.devices.length), HEALTHY, since);
  onStep(`Creating ${receipts.length.toLocaleString('en')} messages`);
  // Must come before inserting the devices because it also sets each device's newest message.
  const messages = await insertMessages(tx, receipts, (device) => {
    const family = familyOf(device.metadata['profile']);
    return isParsed(device) && family !== undefined ? parsers?.byFamily[family] : undefined;
  });
  onStep('Storing the devices');
  await insertFleets(tx, fleets, conditions);
  if (parsers !== undefined) {
    onStep('Creating values and process points');
    await insertValues(tx, parsers, devices.filter(isParsed), messages.firstAt, now);
    await insertPoints(tx, demoFleet, now);
    await insertFiles(tx, demoFleet, now);
  }
  onStep('Creating events');
  if (authors.length > 0) await bulkInsert(tx, deviceNote, seedNotes(demoFleet, authors, now));
  const level = await findLevel(tx, DEMO_ORGANIZATION, EventType.MESSAGE_CANNOT_BE_PARSED);
  const failures = level === undefined ? [] : parsingFailures(demoFleet, messages.failures, level);
  await recordEvents(tx, seedEvents(demoFleet, conditions[0] ?? [], MAX_EDITS, now, failures));
  // Like colleagues.
  if (size === 'demo') await seedExports(tx, demoFleet, secrets, now);
  if (size === 'demo') await seedTransfers(tx, [demoFleet, ...otherFleets], customers[0] ?? '', now);
  await insertWebhooks(tx, seedWebhooks(DEMO_ORGANIZATION, now));
  await seedCounters(tx);
}

async function insertPeople(tx: Tx, now: Date): Promise<void> {
  await bulkInsert(
    tx,
    appUser,
    demoPeople.map(({ id, email, name, defaultOrganization }) => ({
      id,
      email,
      name,
      defaultOrganization: defaultOrganization ?? null,
      emailVerified: true,
      acceptedTacAt: now,
    })),
  );
  await bulkInsert(
    tx,
    membership,
    demoPeople.flatMap(({ id, memberships }) =>
      memberships.map((membership) => ({ ...membership, userId: id, roles: [...membership.roles] })),
    ),
  );
}

/** Returns the users who work on the devices of the demo organization. */
async function insertColleagues(tx: Tx, now: Date): Promise<readonly string[]> {
  const { users, memberships, requests, invitations, signIns, activity } = seedColleagues(now);
  await bulkInsert(tx, appUser, users);
  await bulkInsert(tx, membership, memberships);
  await bulkInsert(tx, accessRequest, requests);
  await bulkInsert(tx, invitation, invitations);
  await bulkInsert(tx, signIn, signIns);
  await bulkInsert(tx, userActivity, activity);
  return [
    ...memberships,
    ...demoPeople.flatMap(({ id, memberships: own }) => own.map((row) => ({ ...row, userId: id }))),
  ]
    .filter(({ organization: id, roles = [] }) => id === DEMO_ORGANIZATION && roles.some((role) => isFieldRole(role)))
    .map(({ userId }) => userId);
}

const isFieldRole = (role: string): boolean => role === 'operator' || role === 'installer';

async function insertFleets(tx: Tx, fleets: readonly Fleet[], conditions: readonly ConditionRow[][]): Promise<void> {
  await bulkInsert(
    tx,
    device,
    fleets.flatMap((fleet) => fleet.devices),
  );
  await bulkInsert(
    tx,
    tag,
    fleets.flatMap((fleet) => fleet.tags),
  );
  await bulkInsert(
    tx,
    deviceTag,
    fleets.flatMap((fleet) => fleet.deviceTags),
  );
  await mergeStoredCounts(tx);
  await bulkInsert(tx, deviceCondition, conditions.flat());
}

async function insertValues(
  tx: Tx,
  parsers: SeededParsers,
  devices: readonly DeviceRow[],
  firstMessageAt: ReadonlyMap<string, Date>,
  now: Date,
): Promise<void> {
  await bulkInsert(tx, parser, parsers.parsers);
  await bulkInsert(tx, parserField, parsers.fields);
  await bulkInsert(tx, parserDevice, assignParsers(parsers, devices));
  await insertMessageValues(tx);
  await insertHistory(tx, parsers, devices, firstMessageAt, new Date(now.getTime() - VALUE_DAYS * DAY));
  await insertLatestValues(tx);
}

async function insertPoints(tx: Tx, fleet: Fleet, now: Date): Promise<void> {
  const { points, tags, links } = seedPoints(fleet, now);
  await bulkInsert(tx, processPoint, points);
  await bulkInsert(tx, processPointTag, tags);
  await bulkInsert(tx, processPointDevice, links);
}

async function insertFiles(tx: Tx, fleet: Fleet, now: Date): Promise<void> {
  const { contents, parts, files, links } = seedFiles(fleet, DEMO_ORGANIZATION, now);
  await bulkInsert(tx, fileContent, contents);
  await bulkInsert(tx, filePart, parts);
  await bulkInsert(tx, file, files);
  await bulkInsert(tx, deviceFile, links);
}

/** Sets the counters to continue after the ids that the seed assigned. */
async function seedCounters(tx: Tx): Promise<void> {
  await tx.execute(sql`
    insert into ${counter} (organization, noun, value)
    select organization, 'tag', max(id) from ${tag} group by organization
    union all select organization, 'publisher', max(id) from ${publisher} group by organization`);
}
