import { assignmentPeriod, periodColumn } from '#commands/kit/assignment-period.ts';
import { filesTab } from '#commands/kit/files-tab.ts';
import { tagTypeText } from '#commands/kit/tag-types.ts';
import { valuesTab } from '#commands/kit/values-tab.ts';
import { TAG_ENTITY, type Column } from '#commands/model/column.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { toMs } from '#commands/model/wire.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { ProcessPoint_AssignedDevice } from '#proto/gen/hiber/process_point_pb.ts';
import type { Tag } from '#proto/gen/hiber/tag_pb.ts';

import { idOf, type PointItem } from './item.ts';
import { pointOwner } from './value-owner.ts';

/** A point has few devices and tags, and the list already contains them. */
const MAX_ROWS = 1000;

interface AssignedDevice extends ProcessPoint_AssignedDevice {
  readonly period: Message;
}

const deviceColumns: readonly Column<AssignedDevice>[] = [
  { id: 'number', kind: 'mono', width: 88, value: ({ number }) => number },
  { id: 'name', kind: 'text', width: 150, grow: 1, value: ({ name }) => name },
  periodColumn,
];

const assignDevice = ({ point }: PointItem): Invocation => ({
  id: 'process-point.assign-device',
  args: { processPoints: { ids: [point.identifier] } },
});

/** The current devices, then the past ones, newest first. */
const devices: DetailTab<PointItem> = {
  id: 'devices',
  add: assignDevice,
  addsMore: true,
  fullList: ({ point }) => ({ id: 'process-point.assignments', args: { processPoints: { ids: [point.identifier] } } }),
  fullListTitle: message('process-point:timeline'),
  columns: deviceColumns,
  limit: MAX_ROWS,
  load: async (context, { point }) =>
    [...point.devices, ...point.inactiveDevices].map((device): AssignedDevice => {
      const { start, end } = device.assignmentTimeRange ?? {};
      return { ...device, period: assignmentPeriod(start, end, context) };
    }),
  key: (row) => {
    const { number, assignmentTimeRange } = row as AssignedDevice;
    return `${number} ${toMs(assignmentTimeRange?.start)}`;
  },
  opens: (row, { point: { organization } }) => ({
    entity: 'device',
    id: (row as AssignedDevice).number,
    organization,
  }),
};

const tagColumns: readonly Column<Tag>[] = [
  { id: 'tagName', kind: 'text', width: 200, grow: 1, value: ({ label }) => label?.name },
  { id: 'tagType', kind: 'text', width: 140, value: ({ label }) => tagTypeText(label?.type) },
  { id: 'tagId', kind: 'mono', width: 70, value: ({ id }) => `#${id}` },
];

const tags: DetailTab<PointItem> = {
  id: 'tags',
  add: ({ point }) => ({ id: 'process-point.tag', args: { processPoints: { ids: [point.identifier] } } }),
  columns: tagColumns,
  limit: MAX_ROWS,
  load: async (_context, { point }) => point.tags,
  key: (row) => `${(row as Tag).id}`,
  opens: (row, { point: { organization } }) => ({ entity: TAG_ENTITY, id: `${(row as Tag).id}`, organization }),
};

const values: DetailTab<PointItem> = {
  ...valuesTab<PointItem>('VIEW_POINT_VALUES', pointOwner, ({ point }) =>
    message(point.devices.length > 0 ? 'process-point:noValues' : 'process-point:noDevices'),
  ),
  add: (item) => (item.point.devices.length > 0 ? undefined : assignDevice(item)),
};

const files = filesTab<PointItem>({
  entity: 'process-point',
  target: 'processPoints',
  id: idOf,
  files: ({ point }) => point.files,
});

export const pointTabs: readonly DetailTab<PointItem>[] = [values, devices, files, tags];
