/** Shared by all changes to an organization's health levels. */
import { and, eq, ne, sql } from 'drizzle-orm';

import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { eventConfigurationUpdated } from '#server/domains/people/organization/events.ts';
import { loadHealthLevels } from '#server/events/health-level.ts';
import { recordEvents } from '#server/events/record.ts';
import { readEnteredText } from '#server/wire/entered-text.ts';
import { invalidArgument, notFound } from '#server/wire/errors.ts';
import { shorten } from '#server/wire/text.ts';

import { lockHealth } from './device-health.ts';

export type LevelRow = typeof healthLevel.$inferSelect;

/** More levels than anyone can tell apart (not specified in the contract). */
export const MAX_LEVELS = 32;
const MAX_NAME_LENGTH = 100;
const MAX_COLORS = 20;
const MAX_COLOR_LENGTH = 100;

/**
 * Changes the levels under a lock that excludes other changes to the levels and to the health of devices, and records
 * the event.
 *
 * @param change receives the current levels, mildest first; returns a sentence about the change, or undefined if
 *   nothing changed
 * @returns the complete list
 */
export async function changeScale(
  app: App,
  organization: string,
  change: (tx: Tx, levels: readonly LevelRow[]) => Promise<string | undefined>,
): Promise<HealthLevel[]> {
  return app.db.transaction(async (tx) => {
    await lockHealth(tx, organization, 'exclusive');
    const levels = await tx
      .select()
      .from(healthLevel)
      .where(eq(healthLevel.organization, organization))
      .orderBy(healthLevel.severity, healthLevel.level);
    const description = await change(tx, levels);
    if (description !== undefined) {
      const title = 'Health levels updated';
      await recordEvents(tx, [eventConfigurationUpdated(organization, app.now(), { title, description })]);
    }
    return loadHealthLevels(tx, organization);
  });
}

/**
 * Finds a level by name.
 *
 * @throws ConnectError NOT_FOUND
 */
export function requireLevel(organization: string, levels: readonly LevelRow[], name: string): LevelRow {
  const row = levels.find(({ level }) => level === name);
  if (!row) throw notFound(`${organization} has no health level "${shorten(name)}".`);
  return row;
}

/**
 * Reads and checks a level's name.
 *
 * @throws ConnectError INVALID_ARGUMENT
 */
export function readLevelName(text: string): string {
  const name = readEnteredText(text, 'The name of a health level', MAX_NAME_LENGTH);
  if (name === '') throw invalidArgument('A health level needs a name.');
  return name;
}

/**
 * Accepts any color names and values (contract: HealthService), up to a maximum number and length.
 *
 * @throws ConnectError INVALID_ARGUMENT
 */
export function readColors(colors: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(colors);
  checkColorCount(entries.length);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const colorName = readEnteredText(name, 'The name of a color', MAX_COLOR_LENGTH);
      if (colorName === '') throw invalidArgument('A color needs a name, for example "text" or "fill".');
      return [colorName, readEnteredText(value, 'A color', MAX_COLOR_LENGTH)];
    }),
  );
}

/**
 * Checks the number of colors in a level.
 *
 * @throws ConnectError INVALID_ARGUMENT
 */
export function checkColorCount(count: number): void {
  if (count > MAX_COLORS) throw invalidArgument(`A health level can have at most ${MAX_COLORS} colors, not ${count}.`);
}

/** Makes the level the only catch-all of the organization. */
export async function moveCatchAll(tx: Tx, organization: string, level: string): Promise<void> {
  const isOwnLevel = eq(healthLevel.organization, organization);
  await tx
    .update(healthLevel)
    .set({ catchAll: false })
    .where(and(isOwnLevel, ne(healthLevel.level, level)));
  await tx
    .update(healthLevel)
    .set({ catchAll: true })
    .where(and(isOwnLevel, eq(healthLevel.level, level)));
}

/** Numbers the levels from 1, in the given order. */
export async function renumber(tx: Tx, organization: string, names: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update health_level l set severity = t.ordinal
    from unnest(${sql.param([...names])}::text[]) with ordinality as t (level, ordinal)
    where l.organization = ${organization} and l.level = t.level and l.severity <> t.ordinal`);
}

/**
 * Replaces the name of a renamed or removed level in past events, in the filters of publishers and emails, and in
 * queued emails. A filter never loses its last level, because it would then match everything.
 */
export async function replaceLevelName(tx: Tx, organization: string, before: string, after: string): Promise<void> {
  await tx.execute(sql`
    update event set health_level = ${after} where organization = ${organization} and health_level = ${before}`);
  for (const table of ['publisher', 'email_preference']) {
    await tx.execute(sql`
      update ${sql.identifier(table)} set health_levels = array(
        select name from unnest(array_replace(health_levels, ${before}::text, ${after}::text)) with ordinality as t (name, ordinal)
        group by name order by min(ordinal))
      where organization = ${organization} and ${before} = any(health_levels)`);
  }
  await tx.execute(sql`
    update email_pending set happenings = (
      select jsonb_agg(case when item ->> 'level' = ${before} then jsonb_set(item, '{level}', to_jsonb(${after}::text))
        else item end order by ordinal)
      from jsonb_array_elements(happenings) with ordinality as t (item, ordinal))
    where organization = ${organization}
      and jsonb_path_exists(happenings, '$[*] ? (@.level == $before)', jsonb_build_object('before', ${before}::text))`);
}
