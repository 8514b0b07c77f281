import process from 'node:process';
import { setTimeout } from 'node:timers/promises';

import { eq } from 'drizzle-orm';

import type { Log } from '#server/base/log.ts';
import type { Sealer } from '#server/base/secrets.ts';
import { databaseCondition } from '#server/db/conditions.ts';
import { type Database, DatabaseUnavailableError, DataFolderInUseError } from '#server/db/database.ts';
import { openDatabase, type OpenOptions } from '#server/db/drivers/open.ts';
import { migrate } from '#server/db/migrate/migrate.ts';
import { setting } from '#server/db/schema/setting.ts';
import { seedDatabase } from '#server/demo/seed/seed.ts';

import { sealSecureNotes } from './sealing/seal-secure-notes.ts';
import { sealStoredHeaders } from './sealing/seal-stored-headers.ts';
import { checkSealingKey } from './sealing/sealing-check.ts';
import type { Settings } from './settings.ts';
import { StepLog } from './step-log.ts';

/** The settings that concern the data. */
export interface DataSettings extends Pick<Settings, 'databaseUrl' | 'dataFolder' | 'devices'> {
  readonly demo: boolean;
}

export const dataSettings = ({ databaseUrl, dataFolder, devices, config: { demo } }: Settings): DataSettings => ({
  databaseUrl,
  dataFolder,
  devices,
  demo,
});

const ORPHAN_TIMEOUT_MS = 10_000;

/** Opens the database, migrates it, and, for a demo, seeds it. */
export async function openData(settings: DataSettings, secrets: Sealer, log: Log): Promise<Database> {
  const { databaseUrl, dataFolder, demo, devices } = settings;
  const db = await openWhenFree(
    databaseUrl === undefined ? { folder: dataFolder, log } : { url: databaseUrl, log },
    performance.now() + ORPHAN_TIMEOUT_MS,
  );
  try {
    const now = new Date();
    await updateData(db, secrets, log, now);
    if (demo && !(await seedDemo(db, devices, secrets, now))) await warnAboutSize(db, devices, log);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Seeds a new database, and prints the steps, because 100,000 devices take minutes. */
async function seedDemo(db: Database, devices: number, secrets: Sealer, now: Date): Promise<boolean> {
  const steps = new StepLog((text) => process.stderr.write(text));
  try {
    const onStep = (title: string): void => steps.start(title);
    const isSeeded = await seedDatabase(db, { size: 'demo', devices, now, secrets, onStep });
    steps.end();
    return isSeeded;
  } catch (error) {
    steps.fail();
    throw error;
  }
}

/** Brings the data of an earlier release up to date. A new database gets its tables. */
export async function updateData(db: Database, secrets: Sealer, log: Log, now: Date): Promise<void> {
  await bringUpToDate(db, now);
  await checkSealingKey(db, secrets);
  await sealStoredHeaders(db, secrets, log);
  await sealSecureNotes(db, secrets);
}

/**
 * Opens the database as soon as it is free. If a server is killed, the process that creates its data (data-creation.ts)
 * exits a moment later. No other server can be using the folder, because we hold `server.lock`.
 */
async function openWhenFree(options: OpenOptions, deadline: number): Promise<Database> {
  try {
    return await openDatabase(options);
  } catch (error) {
    if (!(error instanceof DataFolderInUseError) || performance.now() > deadline) throw error;
    await setTimeout(100);
    return openWhenFree(options, deadline);
  }
}

async function bringUpToDate(db: Database, now: Date): Promise<void> {
  try {
    await migrate(db, now);
  } catch (error) {
    // Some conditions, such as a full disk, have their own message (failures.ts).
    if (databaseCondition(error) !== undefined) throw error;
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    throw new DatabaseUnavailableError(
      `The database can't be brought up to date (${reason}). It was created by a different release. Run that release, or use a different data folder or database.`,
      { cause: error },
    );
  }
}

/** Warns that `--devices` only applies when the demo is created, instead of silently ignoring it later. */
async function warnAboutSize(db: Database, devices: number, log: Log): Promise<void> {
  const [row] = await db.orm.select({ value: setting.value }).from(setting).where(eq(setting.key, 'seed'));
  const seededDevices = (row?.value as { devices?: number } | undefined)?.devices;
  if (seededDevices === undefined || seededDevices === devices) return;
  log.warn(
    `The demo fleet was created with ${seededDevices} devices and keeps them. --fresh creates a fleet of ${devices}.`,
  );
}
