import { toJson, type JsonValue } from '@bufbuild/protobuf';

import type { Event } from '#proto/hiber/event_pb';
import { EventType } from '#proto/hiber/event_type_pb';
import type { Message as DeviceMessage } from '#proto/hiber/message_pb';
import type { Tag } from '#proto/hiber/tag_pb';
import { TAG_ENTITY, type Column, type Related } from '../core/entity.ts';
import { message } from '../core/message.ts';
import { enumName, EVER, msOf, pretty, textOf } from '../core/wire.ts';
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

const messages: Related<Device> = {
  id: 'messages',
  requires: 'VIEW_MESSAGES',
  columns: messageColumns,
  limit: LAST,
  load: async (context, { modem }) => {
    const modemSelection = { modems: { include: [modem.number] }, lifecycles: ALL_LIFECYCLES };
    const { MessageService } = await import('#proto/hiber/message_pb');
    const found = await context.api(MessageService).list(
      {
        organization: context.organization.id,
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
      ['sent', textOf(sentAt)],
      ['received', textOf(receivedAt)],
      ['location', location?.textual],
      ['gatewayMessage', viaGatewayMessage ? `${viaGatewayMessage}` : undefined],
      ['body', bodyBytes?.hex],
      ['fields', bodyFields && pretty(bodyFields)],
      ['metadata', metadata && pretty(metadata)],
    ]);
  },
};

function lines(all: readonly (readonly [name: string, text: string | undefined])[]) {
  return all.flatMap(([name, text]) =>
    text ? [{ label: message(`device:related.detail.${name}`), text, mono: true }] : [],
  );
}

interface EventRow {
  readonly event: Event;
  readonly json: JsonValue;
}

const eventColumns: readonly Column<EventRow>[] = [
  {
    id: 'time',
    kind: 'time',
    width: 150,
    value: ({ event }) => textOf(event.time),
    at: ({ event }) => msOf(event.time),
  },
  {
    id: 'type',
    kind: 'text',
    width: 170,
    value: ({ event }) => message(`event:type.${enumName(EventType, event.type) ?? 'DEFAULT'}`),
  },
  { id: 'title', kind: 'text', width: 200, grow: 1, value: ({ event }) => event.title },
];

const events: Related<Device> = {
  id: 'events',
  columns: eventColumns,
  limit: LAST,
  load: async (context, { modem }) => {
    // The messages of all events are as large as all others together.
    const [{ EventSchema }, { EventService }] = await Promise.all([
      import('#proto/hiber/event_pb'),
      import('#proto/hiber/event_service_pb'),
    ]);
    const found = await context.api(EventService).history(
      {
        organization: context.organization.id,
        selection: { modems: { include: [modem.number] }, timeRange: EVER, includeResolvedEvents: true },
        pagination: { size: LAST },
        useProcessPoint: true,
      },
      { signal: context.signal },
    );
    return found.events.map((event): EventRow => ({ event, json: toJson(EventSchema, event) }));
  },
  key: (row) => {
    const { time, type, title } = (row as EventRow).event;
    return `${textOf(time)} ${type} ${title}`;
  },
  detail: (row) => {
    const { event, json } = row as EventRow;
    return lines([
      ['description', event.description],
      ['event', pretty(json)],
    ]);
  },
};

const tagColumns: readonly Column<Tag>[] = [
  { id: 'name', kind: 'text', width: 200, grow: 1, value: (row) => row.label?.name },
  { id: 'type', kind: 'text', width: 140, value: (row) => row.label?.type },
  { id: 'id', kind: 'mono', width: 70, value: (row) => `#${row.id}` },
];

const tags: Related<Device> = {
  id: 'tags',
  columns: tagColumns,
  limit: LAST,
  load: async (_context, { modem }) => modem.tags,
  key: (row) => `${(row as Tag).id}`,
  opens: (row) => ({ entity: TAG_ENTITY, id: `${(row as Tag).id}` }),
};

export const deviceRelated: readonly Related<Device>[] = [messages, events, tags];
