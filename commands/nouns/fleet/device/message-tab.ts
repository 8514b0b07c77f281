import type { JsonValue } from '@bufbuild/protobuf';

import { jsonLines, labeledText, type ValueLabel } from '#commands/kit/json-lines.ts';
import type { Column } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import { ALL_TIME, toMs, textOf } from '#commands/model/wire.ts';
import { valueAt } from '#commands/text/field-path.ts';
import { formatLocation } from '#commands/text/location.ts';
import { message } from '#commands/text/message.ts';
import type { Message as DeviceMessage } from '#proto/gen/hiber/message_pb.ts';

import type { Device } from './item.ts';
import { ALL_LIFECYCLES } from './lifecycle.ts';
import { MAX_ROWS, detailParts } from './tab-rows.ts';
import { deviceOwner } from './value-owner.ts';

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
  return bodyParsed.flatMap((result) =>
    result.parsed.case === 'error' ? [{ parser: parserNameOf(result), error: result.parsed.value }] : [],
  );
}

type BodyParsed = DeviceMessage['bodyParsed'][number];

const parserNameOf = ({ parserName, parserIdentifier }: BodyParsed): string => parserName || parserIdentifier;

const parserLinks = (bodyParsed: readonly BodyParsed[], organization: string) =>
  bodyParsed.map((result) => ({
    entity: 'parser',
    id: result.parserIdentifier,
    name: parserNameOf(result),
    organization,
  }));

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

export const messages: DetailTab<Device> = {
  id: 'messages',
  requires: 'VIEW_MESSAGES',
  columns: messageColumns,
  add: ({ modem: { number } }) => ({ id: 'device.send-test-message', args: { devices: { ids: [number] } } }),
  emptyHint: () => message('device:noMessages'),
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
  detail: (row, { modem: { organization } }) => {
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
      ['parsers', bodyParsed.map(parserNameOf).join(', '), undefined, parserLinks(bodyParsed, organization)],
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
