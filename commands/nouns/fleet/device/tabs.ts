import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Message as DeviceMessage } from '#proto/gen/hiber/message_pb.ts';
import type { Tag } from '#proto/gen/hiber/tag_pb.ts';
import { TAG_ENTITY, type Column, type DetailPart } from '#commands/model/column.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import { eventWords } from '#commands/kit/event-types.ts';
import { jsonLines } from '#commands/kit/json-lines.ts';
import { message, type Message } from '#commands/text/message.ts';
import { placeText } from '#commands/text/place.ts';
import { enumName, EVER, msOf, textOf } from '#commands/model/wire.ts';
import { tagTypeText } from '#commands/kit/tag-types.ts';
import type { Device } from './item.ts';
import { ALL_LIFECYCLES } from './lifecycle.ts';

/** The panel's tabs ask for no more (spec 9). */
const LAST = 100;

const messageColumns: readonly Column<DeviceMessage>[] = [
  { id: 'sent', kind: 'time', width: 150, value: (row) => textOf(row.sentAt), at: (row) => msOf(row.sentAt) },
  { id: 'body', kind: 'mono', width: 160, grow: 2, value: (row) => row.bodyBytes?.hex },
  { id: 'parsed', kind: 'text', width: 160, grow: 2, value: (row) => fieldsText(row) },
];

/** `pressure 78.4, temperature 21`: what parsers read, short enough for a row. */
function fieldsText({ bodyFields, bodyParsed }: DeviceMessage): string | undefined {
  const wrong = bodyParsed.find(({ parsed }) => parsed.case === 'error');
  if (wrong?.parsed.case === 'error') return wrong.parsed.value;
  const plain = Object.entries(bodyFields ?? {}).flatMap(([name, value]) =>
    typeof value === 'object' ? [] : [`${name} ${value}`],
  );
  return plain.join(', ') || undefined;
}

const messages: DetailTab<Device> = {
  id: 'messages',
  requires: 'VIEW_MESSAGES',
  columns: messageColumns,
  limit: LAST,
  load: async (context, { modem }) => {
    const modemSelection = { modems: { include: [modem.number] }, lifecycles: ALL_LIFECYCLES };
    const { MessageService } = await import('#proto/gen/hiber/message_pb.ts');
    const found = await context.api(MessageService).list(
      {
        organization: modem.organization,
        selection: { modemSelection, timeRange: EVER },
        pagination: { size: LAST },
      },
      { signal: context.signal },
    );
    return found.messages;
  },
  key: (row) => `${(row as DeviceMessage).messageId}`,
  detail: (row) => {
    const { sentAt, receivedAt, location, bodyBytes, bodyFields, metadata, viaGatewayMessage } = row as DeviceMessage;
    return lines([
      ['sent', textOf(sentAt), msOf(sentAt)],
      ['received', textOf(receivedAt), msOf(receivedAt)],
      ['location', placeText(location?.textual)],
      ['gatewayMessage', viaGatewayMessage ? `${viaGatewayMessage}` : undefined],
      ['body', bodyBytes?.hex],
      ['fields', jsonLines(bodyFields)],
      ['metadata', jsonLines(metadata)],
    ]);
  },
};

type Line = readonly [name: string, text: string | Message | undefined, at?: number | undefined];

function lines(all: readonly Line[]): readonly DetailPart[] {
  return all.flatMap(([name, text, at]) =>
    text
      ? [
          {
            label: message(`device:detailTabs.detail.${name}`),
            text,
            at,
            mono: at === undefined && MONO.includes(name),
          },
        ]
      : [],
  );
}

const MONO: readonly string[] = ['location', 'gatewayMessage', 'body', 'fields', 'metadata'];

const eventColumns: readonly Column<Event>[] = [
  { id: 'time', kind: 'time', width: 150, value: ({ time }) => textOf(time), at: ({ time }) => msOf(time) },
  {
    id: 'type',
    kind: 'text',
    width: 150,
    value: ({ type }) => eventWords.word(type),
  },
  {
    id: 'title',
    kind: 'text',
    width: 200,
    grow: 1,
    // Most titles are the name of the type, which stands beside it already.
    value: ({ type, title, description }) => (description && sameAsType(type, title) ? description : title),
  },
];

const sameAsType = (type: EventType, title: string): boolean =>
  enumName(EventType, type)?.replaceAll('_', ' ').toLowerCase() === title.toLowerCase();

const events: DetailTab<Device> = {
  id: 'events',
  columns: eventColumns,
  limit: LAST,
  load: async (context, { modem }) => {
    // The messages of all events are as large as all others together.
    const { EventService } = await import('#proto/gen/hiber/event_service_pb.ts');
    const found = await context.api(EventService).history(
      {
        organization: modem.organization,
        selection: { modems: { include: [modem.number] }, timeRange: EVER, includeResolvedEvents: true },
        pagination: { size: LAST },
        useProcessPoint: true,
      },
      { signal: context.signal },
    );
    return found.events;
  },
  key: (row) => {
    const { time, type, title } = row as Event;
    return `${textOf(time)} ${type} ${title}`;
  },
  detail: (row) => {
    const { description, device, healthLevel, tags: carried, resolvedStatus, time } = row as Event;
    return lines([
      ['description', description],
      ['time', textOf(time), msOf(time)],
      ['level', healthLevel?.level],
      [
        'resolved',
        resolvedStatus.case === 'resolved' && resolvedStatus.value ? message('device:detailTabs.resolved') : '',
      ],
      ['device', device && [device.name, device.number].filter(Boolean).join(' · ')],
      ['tags', carried.flatMap(({ label }) => label?.name ?? []).join(', ')],
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
  filledBy: 'tag.assign',
  columns: tagColumns,
  limit: LAST,
  load: async (_context, { modem }) => modem.tags,
  key: (row) => `${(row as Tag).id}`,
  opens: (row) => ({ entity: TAG_ENTITY, id: `${(row as Tag).id}` }),
};

export const deviceTabs: readonly DetailTab<Device>[] = [messages, events, tags];
