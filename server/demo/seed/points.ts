import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { processPoint, processPointDevice, processPointTag } from '#server/db/schema/process-point.ts';

import type { DeviceRow, Fleet, Placement } from './fleet.ts';
import { createRandom } from './random.ts';

type PointRow = typeof processPoint.$inferInsert;
type LinkRow = typeof processPointDevice.$inferInsert;

export interface SeededPoints {
  readonly points: readonly PointRow[];
  readonly tags: readonly (typeof processPointTag.$inferInsert)[];
  readonly links: readonly LinkRow[];
}

const DAY = 86_400_000;
/** One in this many devices has changed places with another of its kind. */
const DEVICES_PER_MOVE = 9;
/** Devices in these lifecycles no longer measure their point. */
const endedLifecycles: readonly number[] = [
  Modem_Lifecycle.DECOMMISSIONED,
  Modem_Lifecycle.DEFECTIVE,
  Modem_Lifecycle.DISABLED,
  Modem_Lifecycle.SPARE,
];

interface MeasuredPlacement {
  readonly device: DeviceRow;
  readonly placement: Placement;
  readonly point: PointRow;
}

/**
 * Builds a process point for every part of a well that has a device, with the devices that have measured it. Some
 * devices have changed places, some points have lost their device, and some are still waiting for theirs. Call it after
 * {@link assignConditions}.
 */
export function seedPoints({ devices, placements }: Fleet, now: Date): SeededPoints {
  const random = createRandom('points');
  const measuredPlacements = devices.flatMap((device, index): MeasuredPlacement[] => {
    const placement = placements[index];
    const part = placement?.instrument.point;
    if (placement === undefined || part === undefined) return [];
    const hex = Array.from({ length: 20 }, () => random.integer(0, 15).toString(16)).join('');
    const point = {
      organization: device.organization,
      identifier: `point-${hex}`,
      name: `${placement.well}, ${part.name}`,
      type: part.type,
      description: placement.instrument.measures,
      timeZone: device.timeZone ?? null,
      expectedTransmissionRate: placement.instrument.rate,
      latitude: device.latitude ?? null,
      longitude: device.longitude ?? null,
      createdAt: device.createdAt ?? now,
    };
    return [{ device, placement, point }];
  });
  return {
    points: measuredPlacements.map(({ point }) => point),
    tags: measuredPlacements.flatMap(({ placement, point: { organization, identifier, createdAt } }) =>
      placement.tags.map((tag) => ({ organization, point: identifier, tag, since: createdAt ?? now })),
    ),
    links: linkDevices(measuredPlacements, now),
  };
}

function linkDevices(measuredPlacements: readonly MeasuredPlacement[], now: Date): LinkRow[] {
  const random = createRandom('moved devices');
  const partnerOf = new Map<MeasuredPlacement, MeasuredPlacement>();
  const last = new Map<Placement['instrument'], MeasuredPlacement>();
  let count = 0;
  for (const entry of measuredPlacements) {
    const previous = last.get(entry.placement.instrument);
    // A device moves at most once, so the times of a device never overlap.
    if (previous !== undefined && !partnerOf.has(previous) && (count += 1) % DEVICES_PER_MOVE === 0) {
      partnerOf.set(entry, previous);
      partnerOf.set(previous, entry);
    }
    last.set(entry.placement.instrument, entry);
  }
  const movedAt = new Map<MeasuredPlacement, Date>();
  return measuredPlacements.flatMap((entry): LinkRow[] => {
    const { device, point } = entry;
    if (device.lifecycle === Modem_Lifecycle.READY_TO_INSTALL) return [];
    const since = device.createdAt ?? now;
    const isEnded = endedLifecycles.includes(device.lifecycle ?? 0);
    const common = { organization: device.organization, number: device.number, sharedFields: [] };
    const until = isEnded ? (device.lastMessageReceivedAt ?? now) : null;
    const partner = partnerOf.get(entry);
    if (partner === undefined || isEnded) return [{ ...common, point: point.identifier, since, until }];
    // Both changed places at the same time, within the last few days, so charts of both points show it.
    const time =
      movedAt.get(partner) ?? new Date(Math.floor((now.getTime() - random.between(0.3, 4) * DAY) / 60_000) * 60_000);
    movedAt.set(entry, time);
    return [
      { ...common, point: partner.point.identifier, since, until: time },
      { ...common, point: point.identifier, since: time, until: null },
    ];
  });
}
