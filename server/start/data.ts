import { eq } from 'drizzle-orm';
import { databaseCondition } from '#server/db/conditions.ts';
import { type Database, DatabaseUnavailable } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate/migrate.ts';
import { openDatabase } from '#server/db/drivers/open.ts';
import { setting } from '#server/db/schema/setting.ts';
import { seedDatabase } from '#server/demo/seed/seed.ts';
import type { Log } from '#server/base/log.ts';
import type { Sealer } from '#server/base/secrets.ts';
import { sealSecureNotes } from './sealing/seal-secure-notes.ts';
import { sealStoredHeaders } from './sealing/seal-stored-headers.ts';
import { checkSealingKey } from './sealing/sealing-check.ts';
import type { Settings } from './settings.ts';

/** The database, up to date, and with the demo in it when this is one. */
export async function openData(settings: Settings, secrets: Sealer, log: Log): Promise<Database> {
  const { databaseUrl, dataFolder, config, devices } = settings;
  const db = await openDatabase(databaseUrl === undefined ? { folder: dataFolder, log } : { url: databaseUrl, log });
  try {
    const now = new Date();
    await bringUpToDate(db, now);
    await checkSealingKey(db, secrets);
    await sealStoredHeaders(db, secrets, log);
    await sealSecureNotes(db, secrets);
    if (config.demo && !(await seedDatabase(db, { size: 'demo', devices, now, secrets })))
      await warnOfSize(db, devices, log);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function bringUpToDate(db: Database, now: Date): Promise<void> {
  try {
    await migrate(db, now);
  } catch (error) {
    // A full disk, say. It has a sentence of its own (failures.ts).
    if (databaseCondition(error) !== undefined) throw error;
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    throw new DatabaseUnavailable(
      `The database cannot be brought up to date (${why}): another release made it. Start with that one, or with other data.`,
      { cause: error },
    );
  }
}

/** `--devices` counts when the demo is made; on an older one it would be ignored without a word. */
async function warnOfSize(db: Database, devices: number, log: Log): Promise<void> {
  const [row] = await db.orm.select({ value: setting.value }).from(setting).where(eq(setting.key, 'seed'));
  const made = (row?.value as { devices?: number } | undefined)?.devices;
  if (made === undefined || made === devices) return;
  log.warn(`The demo fleet was made with ${made} devices and keeps them; --fresh makes one of ${devices}.`);
}
