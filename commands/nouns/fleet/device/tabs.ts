import type { JsonValue } from '@bufbuild/protobuf';

import { eventLabels } from '#commands/kit/event-types.ts';
import { jsonLines, labeledText, type ValueLabel } from '#commands/kit/json-lines.ts';
import { parsersTab } from '#commands/kit/parsers-tab.ts';
import { tagTypeText } from '#commands/kit/tag-types.ts';
import { valuesTab } from '#commands/kit/values-tab.ts';
import { TAG_ENTITY, type Column, type DetailPart } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import { enumName, ALL_TIME, toMs, textOf } from '#commands/model/wire.ts';
import { valueAt } from '#commands/text/field-path.ts';
import { formatLocation } from '#commands/text/location.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Message as DeviceMessage } from '#proto/gen/hiber/message_pb.ts';
import type { Tag } from '#proto/gen/hiber/tag_pb.ts';

import type { Device } from './item.ts';
import { ALL_LIFECYCLES } from './lifecycle.ts';
import { processPoints } from './process-points-tab.ts';
import { deviceOwner } from './value-owner.ts';

/** Maximum rows of a panel tab (spec 9). */
const MAX_ROWS = 100;

/** A message of a device, with the fields that its parsers declare. */
interface DecodedMessage {
  readonly deviceMessage: DeviceMessage;
  /** How to show the fields, by path, those with a higher priority first. Empty if they aren't known. */
  readonly fields: ReadonlyMap<string, ValueLabel>;
}

const messageColumns: readonly Column<DecodedMessage>[] = [
  {
    id: 'sent',
    kind: 'time',
    width: 150,
    value: ({ deviceMessage }) => textOf(deviceMessage.sentAt),
    time: ({ deviceMessage }) => toMs(deviceMessage.sentAt),
  },
  { id: 'body', kind: 'mono', width: 160, grow: 2, value: ({ deviceMessage }) => deviceMessage.bodyBytes?.hex },
  { id: 'parsed', kind: 'text', width: 160, grow: 2, value: fieldsText },
];

/**
 * Formats the parsed fields for a row: `Pressure 78.4 bar, Temperature 21 °C`. Omits fields that the parsers do not
 * declare, such as raw values, unless they declare none. Another parser may have failed: its error follows.
 */
function fieldsText({ deviceMessage: { bodyFields = {}, bodyParsed }, fields }: DecodedMessage): string | undefined {
  const labeledValues = [...fields].flatMap(([path, label]) => {
    const value = valueAt(bodyFields, path);
    return value === undefined ? [] : [{ ...label, value: value as JsonValue }];
  });
  const values: readonly (ValueLabel & { readonly value: JsonValue })[] =
    labeledValues.length > 0 ? labeledValues : Object.entries(bodyFields).map(([name, value]) => ({ name, value }));
  const texts = values.flatMap(({ value, ...label }) =>
    // A line never ends between a value and its unit.
    typeof value === 'object' ? [] : [`${label.name} ${labeledText(value, label, '\u00A0')}`],
  );
  const errors = failuresOf(bodyParsed).map(({ error, parser }) =>
    bodyParsed.length > 1 ? `${parser}: ${error}` : error,
  );
  return [texts.join(', '), ...errors].filter(Boolean).join(' · ') || undefined;
}

/** Returns the parsers that could not read a message, and why. */
function failuresOf(
  bodyParsed: DeviceMessage['bodyParsed'],
): readonly { readonly parser: string; readonly error: string }[] {
  return bodyParsed.flatMap(({ parsed, parserName, parserIdentifier }) =>
    parsed.case === 'error' ? [{ parser: parserName || parserIdentifier, error: parsed.value }] : [],
  );
}

/** Returns the names of a device's fields, and how to show their values as the user prefers. */
async function loadLabels(context: Context, device: Device): Promise<ReadonlyMap<string, ValueLabel>> {
  if (!context.actor.abilities.has('VIEW_DEVICES')) return new Map();
  const [{ fieldLabels }, { loadFields }] = await Promise.all([
    import('#commands/kit/field-labels.ts'),
    import('#commands/kit/value-loading.ts'),
  ]);
  const { organization, selection } = deviceOwner(device);
  return fieldLabels(await loadFields(context, organization, selection));
}

const messages: DetailTab<Device> = {
  id: 'messages',
  requires: 'VIEW_MESSAGES',
  columns: messageColumns,
  limit: MAX_ROWS,
  load: async (context, device) => {
    const { modem } = device;
    const modemSelection = { modems: { include: [modem.number] }, lifecycles: ALL_LIFECYCLES };
    const { MessageService } = await import('#proto/gen/hiber/message_pb.ts');
    const [response, fields] = await Promise.all([
      context.api(MessageService).list(
        {
          organization: modem.organization,
          selection: { modemSelection, timeRange: ALL_TIME },
          pagination: { size: MAX_ROWS },
        },
        { signal: context.signal },
      ),
      loadLabels(context, device),
    ]);
    return response.messages.map((deviceMessage): DecodedMessage => ({ deviceMessage, fields }));
  },
  key: (row) => `${(row as DecodedMessage).deviceMessage.messageId}`,
  detail: (row) => {
    const { deviceMessage, fields } = row as DecodedMessage;
    const { sentAt, receivedAt, location, bodyBytes, bodyFields, bodyParsed, metadata, viaGatewayMessage } =
      deviceMessage;
    return detailParts([
      ['sent', textOf(sentAt), toMs(sentAt)],
      ['received', textOf(receivedAt), toMs(receivedAt)],
      ['location', formatLocation(location?.textual)],
      ['gatewayMessage', viaGatewayMessage ? `${viaGatewayMessage}` : undefined],
      ['body', bodyBytes?.hex],
      ['fields', jsonLines(bodyFields, fields)],
      [
        'failures',
        failuresOf(bodyParsed)
          .map(({ parser, error }) => `${parser}: ${error}`)
          .join('\n'),
      ],
      ['metadata', jsonLines(metadata)],
    ]);
  },
};

type Part = readonly [name: string, text: string | Message | undefined, time?: number | undefined];

function detailParts(parts: readonly Part[]): readonly DetailPart[] {
  return parts.flatMap(([name, text, time]) =>
    text
      ? [
          {
            label: message(`device:detailTabs.detail.${name}`),
            text,
            time,
            mono: time === undefined && MONO.includes(name),
          },
        ]
      : [],
  );
}

const MONO: readonly string[] = ['location', 'gatewayMessage', 'body', 'fields', 'metadata'];

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
  detail: (row) => {
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
      ['tags', eventTags.flatMap(({ label }) => label?.name ?? []).join(', ')],
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

const values = valuesTab<Device>('VIEW_DEVICE_VALUES', deviceOwner, () => message('device:noValues'));

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

export const deviceTabs: readonly DetailTab<Device>[] = [values, messages, events, processPoints, parsers, tags];
