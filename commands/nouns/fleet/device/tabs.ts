import { eventLabels } from '#commands/kit/event-types.ts';
import { parsersTab } from '#commands/kit/parsers-tab.ts';
import { tagTypeText } from '#commands/kit/tag-types.ts';
import { valuesTab } from '#commands/kit/values-tab.ts';
import { TAG_ENTITY, type Column } from '#commands/model/column.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import { enumName, ALL_TIME, toMs, textOf } from '#commands/model/wire.ts';
import { tagLabels } from '#commands/nouns/fleet/tag/item.ts';
import { message } from '#commands/text/message.ts';
import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Tag } from '#proto/gen/hiber/tag_pb.ts';

import { deviceFiles } from './files.ts';
import type { Device } from './item.ts';
import { ALL_LIFECYCLES } from './lifecycle.ts';
import { locationsTab } from './locations/tab.ts';
import { messages } from './message-tab.ts';
import { notesTab } from './notes/tab.ts';
import { processPoints } from './process-points-tab.ts';
import { detailParts, MAX_ROWS } from './tab-rows.ts';
import { deviceOwner } from './value-owner.ts';

const eventColumns: readonly Column<Event>[] = [
  { id: 'time', kind: 'time', width: 150, value: ({ time }) => textOf(time), time: ({ time }) => toMs(time) },
  {
    id: 'type',
    kind: 'text',
    width: 150,
    value: ({ type }) => eventLabels.text(type),
  },
  {
    id: 'title',
    kind: 'text',
    width: 200,
    grow: 1,
    // Most titles repeat the type, which has its own column.
    value: ({ type, title, description }) => (description && repeatsType(type, title) ? description : title),
  },
];

const repeatsType = (type: EventType, title: string): boolean =>
  enumName(EventType, type)?.replaceAll('_', ' ').toLowerCase() === title.toLowerCase();

const events: DetailTab<Device> = {
  id: 'events',
  columns: eventColumns,
  limit: MAX_ROWS,
  load: async (context, { modem }) => {
    // The generated code for events is as large as all the other generated code combined, so it loads on demand.
    const { EventService } = await import('#proto/gen/hiber/event_service_pb.ts');
    const response = await context.api(EventService).history(
      {
        organization: modem.organization,
        selection: { modems: { include: [modem.number] }, timeRange: ALL_TIME, includeResolvedEvents: true },
        pagination: { size: MAX_ROWS },
        useProcessPoint: true,
      },
      { signal: context.signal },
    );
    return response.events;
  },
  key: (row) => {
    const { time, type, title } = row as Event;
    return `${textOf(time)} ${type} ${title}`;
  },
  detail: (row, { modem: { organization } }) => {
    const { description, device, healthLevel, tags: eventTags, resolvedStatus, time } = row as Event;
    return detailParts([
      ['description', description],
      ['time', textOf(time), toMs(time)],
      ['level', healthLevel?.level],
      [
        'resolved',
        resolvedStatus.case === 'resolved' && resolvedStatus.value ? message('device:detailTabs.resolved') : '',
      ],
      ['device', device && [device.name, device.number].filter(Boolean).join(' · ')],
      [
        'tags',
        eventTags.flatMap(({ label }) => label?.name ?? []).join(', '),
        undefined,
        tagLabels(eventTags, organization).map((label) => ({ entity: TAG_ENTITY, ...label })),
      ],
    ]);
  },
};

const tagColumns: readonly Column<Tag>[] = [
  { id: 'name', kind: 'text', width: 200, grow: 1, value: (row) => row.label?.name },
  { id: 'type', kind: 'text', width: 140, value: (row) => tagTypeText(row.label?.type) },
  { id: 'id', kind: 'mono', width: 70, value: (row) => `#${row.id}` },
];

const tags: DetailTab<Device> = {
  id: 'tags',
  add: ({ modem }) => ({ id: 'tag.assign', args: { devices: { ids: [modem.number] } } }),
  columns: tagColumns,
  limit: MAX_ROWS,
  load: async (_context, { modem }) => modem.tags,
  key: (row) => `${(row as Tag).id}`,
  opens: (row, { modem: { organization } }) => ({ entity: TAG_ENTITY, id: `${(row as Tag).id}`, organization }),
};

export const values = valuesTab<Device>('VIEW_DEVICE_VALUES', deviceOwner, () => message('device:noValues'));

const parsers = parsersTab<Device>({
  ownSource: message('device:parsers.own'),
  links: ({ modem: { number, tags: deviceTags } }) => [
    { to: 'device', selection: { modems: { modems: { include: [number] }, lifecycles: ALL_LIFECYCLES } } },
    // An empty list would select every tag.
    ...(deviceTags.length > 0
      ? [{ to: 'tag' as const, selection: { tags: { filter: { include: deviceTags.map(({ id }) => id) } } } }]
      : []),
  ],
  organization: ({ modem }) => modem.organization,
  assign: ({ modem }) => ({ id: 'parser.assign', args: { devices: { ids: [modem.number] } } }),
  unassign: ({ modem }) => ({ id: 'parser.unassign', args: { devices: { ids: [modem.number] } } }),
});

export const deviceTabs: readonly DetailTab<Device>[] = [
  values,
  messages,
  events,
  notesTab,
  processPoints,
  locationsTab,
  deviceFiles,
  parsers,
  tags,
];
