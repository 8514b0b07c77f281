import type { deviceCondition } from '#server/db/schema/device-condition.ts';
import { ALARM, BUILD_UP } from '#server/domains/people/organization/default-health-levels.ts';

import type { DeviceRow } from './fleet.ts';
import type { Random } from './random.ts';
import { randomFor } from './random.ts';

export type ConditionRow = typeof deviceCondition.$inferInsert;

const HOUR = 3_600_000;
const day = 24 * HOUR;

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

/** Of 2,000 devices: 214 in alarm, 112 building up. */
const SHARE_IN_ALARM = 0.107;
const SHARE_BUILDING_UP = 0.056;
/** The share of each that is due to inactivity; the rest is due to measurements. */
const SHARE_SILENT = 0.4;

/**
 * Gives devices their lifecycle, their conditions and the time of their last message, so that every lifecycle and level
 * occurs and inactive devices are in fact silent. The last `hidden` devices get lifecycles hidden from customers; the
 * shares above apply to the others.
 */
export function assignConditions(devices: DeviceRow[], hidden: number, name: string, now: Date): ConditionRow[] {
  const random = randomFor(`condition of ${name}`);
  const visible = devices.slice(0, devices.length - hidden);
  for (const [index, device] of devices.slice(visible.length).entries()) {
    device.lifecycle = hiddenLifecycles[index % hiddenLifecycles.length] ?? lifecycle.acceptanceTesting;
    device.lastMessageReceivedAt = new Date(now.getTime() - random.between(2, 12) * day);
  }
  const order = random.shuffled(visible);
  const inAlarm = Math.round(visible.length * SHARE_IN_ALARM);
  const buildingUp = Math.round(visible.length * SHARE_BUILDING_UP);
  const conditions: ConditionRow[] = [];
  for (const [index, device] of order.entries()) {
    const level = index < inAlarm ? ALARM : index < inAlarm + buildingUp ? BUILD_UP : undefined;
    device.lifecycle = lifecycleOf(random, level);
    const silent = level !== undefined && device.lifecycle !== lifecycle.paused && random.chance(SHARE_SILENT);
    const silence = silent
      ? silenceOf(random, device, level)
      : random.next() * (device.transmissionInterval ?? 3600) * 1000;
    // A message would have installed it (contract: Lifecycle).
    if (device.lifecycle !== lifecycle.readyToInstall) device.lastMessageReceivedAt = new Date(now.getTime() - silence);
    if (level === undefined) continue;
    device.healthLevel = level;
    conditions.push({
      organization: device.organization,
      number: device.number,
      source: silent ? 'inactivity' : measuredCause(device),
      healthLevel: level,
      since: new Date(now.getTime() - (silent ? silence / 2 : random.between(0.2, 60) * HOUR)),
    });
  }
  return conditions;
}

function lifecycleOf(random: Random, level: string | undefined): number {
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

/** In milliseconds, and consistent with the inactivity rules: 4 and 12 intervals, at least 6 and 24 hours. */
function silenceOf(random: Random, device: DeviceRow, level: string): number {
  const interval = (device.transmissionInterval ?? 3600) * 1000;
  const lateAfter = Math.max(6 * HOUR, 4 * interval);
  const lost = Math.max(24 * HOUR, 12 * interval);
  if (level === BUILD_UP) return random.between(lateAfter + HOUR, lost - 4 * HOUR);
  // Most for a day or two, some for much longer.
  return lost + HOUR + random.next() ** 3 * 6 * day;
}

/** Identifier of the alarm that fired. */
function measuredCause(device: DeviceRow): string {
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
