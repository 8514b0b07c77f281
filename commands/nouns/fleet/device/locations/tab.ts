import type { KindValues } from '#commands/model/arg-value.ts';
import type { Column } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import { p } from '#commands/model/params.ts';
import { FIRST_PAGE, type TabFilter } from '#commands/model/tab-filter.ts';
import { toTimeRange } from '#commands/model/time.ts';
import { textOf, toMs } from '#commands/model/wire.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { printDuration } from '#commands/text/duration.ts';
import { formatLocation } from '#commands/text/location.ts';
import { message } from '#commands/text/message.ts';
import type { LocationHistory } from '#proto/gen/hiber/map_pb.ts';

import type { Device } from '../item.ts';

/** The map's most detailed level, which keeps every position (contract: MapService). */
const LEVEL = 21;
/** The period to show first, which is also the contract's default (MapService.LocationHistory). */
const DEFAULT_PERIOD = { start: '-7d', end: 'now' } as const;

/** The maximum number of positions in the tab. */
const MAX_ROWS = 1000;

export const locationParams = { period: p.range({ partial: true, fallback: DEFAULT_PERIOD }) };

const filters: Readonly<Record<keyof typeof locationParams, TabFilter>> = {
  period: { label: message('device:labels.range'), param: locationParams.period },
};

type Period = KindValues['range'];

const startOf = ({ when }: LocationHistory) => (when.case === 'timeRange' ? when.value.start : when.value);
const endOf = ({ when }: LocationHistory) => (when.case === 'timeRange' ? when.value.end : undefined);

/** Returns how long the device stayed: `2d3h`. Undefined if it only reported once from there. */
function stayText(position: LocationHistory): string | undefined {
  const [start, end] = [toMs(startOf(position)), toMs(endOf(position))];
  if (start === undefined || end === undefined) return undefined;
  const minutes = Math.round((end - start) / 60_000);
  return minutes > 0 ? printDuration(minutes * 60) : undefined;
}

/** The contract has neither the source nor the accuracy of a location. */
export const locationColumns: readonly Column<LocationHistory>[] = [
  {
    id: 'from',
    kind: 'time',
    width: 150,
    value: (position) => textOf(startOf(position)),
    time: (position) => toMs(startOf(position)),
  },
  {
    id: 'until',
    kind: 'time',
    width: 150,
    value: (position) => textOf(endOf(position)),
    time: (position) => toMs(endOf(position)),
  },
  {
    id: 'location',
    kind: 'mono',
    width: 150,
    grow: 1,
    value: ({ location }) => formatLocation(location?.textual),
  },
  { id: 'stay', kind: 'number', width: 70, value: stayText },
];

/** Loads the places where a device was in a period, newest first. */
export async function loadLocations(
  context: Context,
  { modem: { number, organization } }: Device,
  period: Period = DEFAULT_PERIOD,
): Promise<readonly LocationHistory[]> {
  const { MapService } = await import('#proto/gen/hiber/map_pb.ts');
  const { now, preferences, signal } = context;
  const timeRange = toTimeRange(period, now(), firstDay(preferences));
  const request = { organization, modemNumber: number, timeRange, level: LEVEL };
  const { history } = await context.api(MapService).locationHistory(request, { signal });
  return history.toReversed();
}

export const locationsTab: DetailTab<Device> = {
  id: 'locations',
  columns: locationColumns,
  limit: MAX_ROWS,
  filters,
  load: async (context, item, { filterValues } = FIRST_PAGE) =>
    (await loadLocations(context, item, filterValues['period'] as Period | undefined)).slice(0, MAX_ROWS),
  key: (row) => `${toMs(startOf(row as LocationHistory))}`,
  emptyHint: () => message('device:noLocations'),
};
