import type { ResolvedArgs } from '#commands/model/command.ts';
import type { Entity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { SelectedItems } from '#commands/model/target.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import type { Device } from '#commands/nouns/fleet/device/item.ts';
import { message } from '#commands/text/message.ts';

import { processPoint } from './entity.ts';
import type { PointItem } from './item.ts';
import type { Pair } from './periods.ts';

/** The maximum number of assignments per call (docs/contract-choices.md). */
export const MAX_LINKS = 10_000;

/** The side that the command acts on. The other side is an argument. */
export type Side = 'processPoints' | 'devices';

/** The points and devices of a command. */
interface Sides {
  readonly points: readonly PointItem[];
  readonly devices: readonly Device[];
}

export function resolveSides(side: Side, args: ResolvedArgs): Sides {
  return side === 'processPoints'
    ? {
        points: (args['processPoints'] as SelectedItems<PointItem>).items,
        devices: distinctItems(device, args['devices'] as readonly Device[]),
      }
    : {
        points: distinctItems(processPoint, args['processPoints'] as readonly PointItem[]),
        devices: (args['devices'] as SelectedItems<Device>).items,
      };
}

function distinctItems<Item>(entity: Entity<Item>, items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [entity.id(item), item])).values()];
}

export function createPair(point: PointItem, item: Device): Pair {
  return {
    organization: point.point.organization,
    point: { id: processPoint.id(point), label: processPoint.label(point) },
    device: { id: device.id(item), label: device.label(item) },
  };
}

/** @throws CommandError if a device and a point belong to different organizations, or if there are too many pairs */
export function createPairs({ points, devices }: Sides): readonly Pair[] {
  const count = points.length * devices.length;
  if (count > MAX_LINKS) throw new CommandError(message('process-point:validation.tooMany', { count, max: MAX_LINKS }));
  return points.flatMap((point) =>
    devices.map((item) => {
      requireSameOrganization(point, item);
      return createPair(point, item);
    }),
  );
}

/** @throws CommandError if the device and the point belong to different organizations */
export function requireSameOrganization(point: PointItem, item: Device): void {
  if (point.point.organization === item.modem.organization) return;
  throw new CommandError(
    message('process-point:validation.otherOrganization', {
      device: device.label(item),
      point: processPoint.label(point),
    }),
  );
}
