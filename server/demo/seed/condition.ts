import type { deviceCondition } from '#server/db/schema/device-condition.ts';
import { ALARM, BUILD_UP } from '#server/domains/people/organization/default-health-levels.ts';

import type { DeviceRow } from './fleet.ts';
import type { Random } from './random.ts';
import { createRandom } from './random.ts';

export type ConditionRow = typeof deviceCondition.$inferInsert;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Modem.Lifecycle numbers, grouped by their visibility to customers (contract: Lifecycle). */
const lifecycle = {
  acceptanceTesting: 0,
  installed: 1,
  decommissioned: 4,
  disabled: 5,
  paused: 6,
  defective: 7,
  readyToInstall: 8,
  spare: 9,
  pendingMaintenance: 11,
  pendingReplacement: 12,
} as const;

const hiddenLifecycles = [
  lifecycle.acceptanceTesting,
  lifecycle.defective,
  lifecycle.decommissioned,
  lifecycle.disabled,
] as const;

/** The fraction of visible devices in alarm: 214 of 2,000. */
const FRACTION_IN_ALARM = 0.107;
/** The fraction of visible devices that are building up: 112 of 2,000. */
const FRACTION_BUILDING_UP = 0.056;
/** The fraction of unhealthy devices that have fallen silent. The others have a measurement out of range. */
const FRACTION_SILENT = 0.4;

/**
 * Gives devices their lifecycle, their conditions, and the time of their last message, covering every lifecycle and
 * level, with inactive devices that really are silent. The last `hiddenCount` devices get lifecycles that are hidden
 * from customers. The fractions above apply to the others.
 */
export function assignConditions(devices: DeviceRow[], hiddenCount: number, name: string, now: Date): ConditionRow[] {
  const random = createRandom(`condition of ${name}`);
  const visibleDevices = devices.slice(0, devices.length - hiddenCount);
  for (const [index, device] of devices.slice(visibleDevices.length).entries()) {
    device.lifecycle = hiddenLifecycles[index % hiddenLifecycles.length] ?? lifecycle.acceptanceTesting;
    device.lastMessageReceivedAt = new Date(now.getTime() - random.between(2, 12) * DAY);
  }
  const order = random.shuffle(visibleDevices);
  const inAlarm = Math.round(visibleDevices.length * FRACTION_IN_ALARM);
  const buildingUp = Math.round(visibleDevices.length * FRACTION_BUILDING_UP);
  const conditions: ConditionRow[] = [];
  for (const [index, device] of order.entries()) {
    const level = index < inAlarm ? ALARM : index < inAlarm + buildingUp ? BUILD_UP : undefined;
    device.lifecycle = randomLifecycle(random, level);
    const isSilent = level !== undefined && device.lifecycle !== lifecycle.paused && random.chance(FRACTION_SILENT);
    const silence = isSilent
      ? randomSilence(random, device, level)
      : random.next() * (device.transmissionInterval ?? 3600) * 1000;
    // A device that is ready to install has sent nothing, because its first message would install it (contract:
    // Lifecycle).
    if (device.lifecycle !== lifecycle.readyToInstall) device.lastMessageReceivedAt = new Date(now.getTime() - silence);
    if (level === undefined) continue;
    device.healthLevel = level;
    conditions.push({
      organization: device.organization,
      number: device.number,
      source: isSilent ? 'inactivity' : alarmIdentifier(device),
      healthLevel: level,
      since: new Date(now.getTime() - (isSilent ? silence / 2 : random.between(0.2, 60) * HOUR)),
    });
  }
  return conditions;
}

function randomLifecycle(random: Random, level: string | undefined): number {
  const draw = random.next();
  if (level !== undefined) {
    if (draw < 0.08) return lifecycle.pendingMaintenance;
    if (draw < 0.12) return lifecycle.pendingReplacement;
    return draw < 0.2 ? lifecycle.paused : lifecycle.installed;
  }
  if (draw < 0.03) return lifecycle.paused;
  if (draw < 0.045) return lifecycle.spare;
  return draw < 0.06 ? lifecycle.readyToInstall : lifecycle.installed;
}

/**
 * Draws a period of silence, in milliseconds, that matches the inactivity rules (4 and 12 intervals, but at least 6 and
 * 24 hours).
 */
function randomSilence(random: Random, device: DeviceRow, level: string): number {
  const interval = (device.transmissionInterval ?? 3600) * 1000;
  const lateAfter = Math.max(6 * HOUR, 4 * interval);
  const lostAfter = Math.max(24 * HOUR, 12 * interval);
  if (level === BUILD_UP) return random.between(lateAfter + HOUR, lostAfter - 4 * HOUR);
  // Most devices are silent for a day or two, and some for much longer.
  return lostAfter + HOUR + random.next() ** 3 * 6 * DAY;
}

/** Returns the identifier of the alarm that the device's measurement triggered. */
function alarmIdentifier(device: DeviceRow): string {
  const causes: Record<string, string> = {
    pressure: 'pressure-above-limit',
    temperature: 'temperature-above-limit',
    flow: 'flow-below-limit',
    level: 'level-above-limit',
    gateway: 'battery-low',
    valve: 'line-pressure-low',
  };
  return causes[String(device.metadata['profile'])] ?? 'battery-low';
}
