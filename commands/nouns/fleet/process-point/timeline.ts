import type { Level } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import { toMs } from '#commands/model/wire.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { groupBy } from '#commands/text/group-by.ts';

import type { PointItem } from './item.ts';
import { listAssignments } from './period-requests.ts';
import type { Period } from './periods.ts';

/** A device that measures or measured a process point, with its periods in order of their start. */
export interface TimelineRow {
  readonly number: string;
  readonly name: string;
  readonly level: Level;
  readonly periods: readonly Period[];
}

interface DeviceInfo {
  readonly name: string;
  readonly level: Level;
}

/**
 * Loads the devices of a point with their assignments: the current ones first, then the most recent. Users without the
 * permission for assignments see the periods that the point itself lists, which lack the shared fields.
 */
export async function loadTimeline(context: Context, { point }: PointItem): Promise<readonly TimelineRow[]> {
  const linkedDevices = [...point.devices, ...point.inactiveDevices];
  const names = new Map(linkedDevices.map(({ number, name }) => [number, name || number]));
  const assignments = context.actor.abilities.has('ASSIGNMENTS')
    ? await listAssignments(context, point.organization, { points: [point.identifier] })
    : linkedDevices.flatMap(({ number, assignmentTimeRange }) => {
        const since = toMs(assignmentTimeRange?.start);
        return since === undefined
          ? []
          : [{ number, point: point.identifier, since, until: toMs(assignmentTimeRange?.end), fields: [] }];
      });
  const groups = groupBy(assignments, ({ number }) => number);
  const infos = await loadDeviceInfos(context, [...groups.keys()]);
  const rows = [...groups].map(([number, periods]): TimelineRow => ({
    number,
    name: infos.get(number)?.name ?? names.get(number) ?? number,
    level: infos.get(number)?.level ?? 'none',
    periods: periods.toSorted((a, b) => a.since - b.since),
  }));
  return rows.toSorted(
    (a, b) => lastEnd(b) - lastEnd(a) || lastStart(b) - lastStart(a) || (a.number < b.number ? -1 : 1),
  );
}

const lastEnd = ({ periods }: TimelineRow): number => periods.at(-1)?.until ?? Infinity;
const lastStart = ({ periods }: TimelineRow): number => periods.at(-1)?.since ?? 0;

/** Returns the names and health of devices. Empty if the user cannot see devices. */
async function loadDeviceInfos(context: Context, numbers: readonly string[]): Promise<ReadonlyMap<string, DeviceInfo>> {
  if (numbers.length === 0 || !context.actor.abilities.has('VIEW_DEVICES')) return new Map();
  const items = await device.byIds(context, numbers);
  return new Map(items.map((item) => [device.id(item), { name: device.label(item), level: item.level }]));
}
