import { and, eq, type SQL, sql } from 'drizzle-orm';

import type { Executor } from '#server/db/database.ts';
import { natural } from '#server/db/schema/columns.ts';
import { device } from '#server/db/schema/device.ts';
import { deviceTag, tag, webhookTag } from '#server/db/schema/tag.ts';
import { type DeviceScope, visibleDevices } from '#server/domains/fleet/device/model/where.ts';

import type { TagRow } from './present.ts';

/** Selects the tags that match a condition, by priority from high to low, then by name (contract: TagService.List). */
export function selectTags(db: Executor, organization: string, where: SQL | undefined): Promise<TagRow[]> {
  return db
    .select()
    .from(tag)
    .where(and(eq(tag.organization, organization), where))
    .orderBy(sql`${tag.priority} desc`, natural(tag.name), tag.id);
}

/**
 * Counts, per tag, the devices that match the condition, by default all devices that the caller may see. Omits tags
 * without devices.
 */
export async function devicesPerTag(
  db: Executor,
  scope: DeviceScope,
  where: SQL | undefined = visibleDevices(scope),
): Promise<Map<number, number>> {
  const rows = await db
    .select({ tag: deviceTag.tag, count: sql<number>`count(*)::int` })
    .from(deviceTag)
    .innerJoin(device, and(eq(device.organization, deviceTag.organization), eq(device.number, deviceTag.number)))
    .where(and(eq(deviceTag.organization, scope.home), where))
    .groupBy(deviceTag.tag);
  return new Map(rows.map((row) => [row.tag, row.count]));
}

export async function webhooksPerTag(db: Executor, organization: string): Promise<Map<number, number>> {
  const rows = await db
    .select({ tag: webhookTag.tag, count: sql<number>`count(*)::int` })
    .from(webhookTag)
    .where(eq(webhookTag.organization, organization))
    .groupBy(webhookTag.tag);
  return new Map(rows.map((row) => [row.tag, row.count]));
}

export interface TagLevel {
  readonly tag: number;
  readonly level: string;
  readonly count: number;
}

/** Counts the visible devices per tag and health level. */
export async function levelsPerTag(db: Executor, scope: DeviceScope): Promise<TagLevel[]> {
  return db
    .select({ tag: deviceTag.tag, level: device.healthLevel, count: sql<number>`count(*)::int` })
    .from(deviceTag)
    .innerJoin(device, and(eq(device.organization, deviceTag.organization), eq(device.number, deviceTag.number)))
    .where(and(eq(deviceTag.organization, scope.home), visibleDevices(scope)))
    .groupBy(deviceTag.tag, device.healthLevel);
}
