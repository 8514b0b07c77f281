import { Modem_ConnectedDeviceInfo_Frequency } from '#proto/gen/hiber/modem_pb.ts';
import { Value_Numeric_Type } from '#proto/gen/hiber/value_pb.ts';
import { printDuration } from '#commands/text/duration.ts';
import { asLinks, type Fact } from '#commands/model/column.ts';
import { enumWords } from '#commands/kit/enum-words.ts';
import { jsonLines } from '#commands/kit/json-lines.ts';
import { message } from '#commands/text/message.ts';
import { organizationLinks } from '#commands/kit/organization-names.ts';
import { placeText } from '#commands/text/place.ts';
import { msOf, secondsOf, textOf } from '#commands/model/wire.ts';
import { brandOf } from './catalogue.ts';
import { lifecycleOf, organizationOf, typeText } from './columns.ts';
import { peripheralsOf, peripheralsText } from './peripherals.ts';
import type { Device } from './item.ts';

const gatewayOf = ({ modem }: Device): string | undefined => modem.connectedDeviceInfo?.connectedToGateway || undefined;
const frequencyWords = enumWords(Modem_ConnectedDeviceInfo_Frequency, 'device:frequency');

const measureWords = enumWords(Value_Numeric_Type, 'device:measure');

/** What the overview of a device shows, in this order; a line without a value is left out. */
export const deviceFacts: readonly Fact<Device>[] = [
  {
    id: 'health',
    kind: 'health',
    group: 'state',
    value: ({ modem }) => modem.healthLevel?.level,
    level: ({ level }) => level,
  },
  { id: 'lifecycle', kind: 'status', group: 'state', value: lifecycleOf, edit: 'device.set-lifecycle' },
  { id: 'number', kind: 'mono', group: 'identity', value: ({ modem }) => modem.number },
  { id: 'name', kind: 'text', group: 'identity', value: ({ modem }) => modem.name, edit: 'device.rename' },
  { id: 'type', kind: 'text', group: 'hardware', value: typeText },
  { id: 'model', kind: 'text', group: 'hardware', value: ({ modem }) => modem.deviceType || undefined },
  { id: 'brand', kind: 'text', group: 'hardware', value: ({ modem }) => brandOf(modem) || undefined },
  {
    id: 'measures',
    kind: 'text',
    group: 'hardware',
    value: ({ modem }) => measureWords.words(modem.numericValueTypes),
  },
  {
    id: 'processPoints',
    kind: 'text',
    group: 'place',
    value: ({ modem }) => modem.processPoints.map(({ name }) => name).join(', ') || undefined,
  },
  {
    id: 'gateway',
    kind: 'mono',
    group: 'reporting',
    value: gatewayOf,
    links: (item) => asLinks('device', gatewayOf(item)),
  },
  {
    id: 'connected',
    kind: 'number',
    group: 'reporting',
    value: ({ modem }) => modem.gatewayInfo?.numberOfConnectedDevices.toString(),
  },
  {
    id: 'last',
    kind: 'age',
    group: 'state',
    value: ({ modem }) => textOf(modem.lastMessageReceivedAt),
    at: ({ modem }) => msOf(modem.lastMessageReceivedAt),
  },
  {
    id: 'sent',
    kind: 'time',
    group: 'reporting',
    value: ({ modem }) => textOf(modem.lastMessageSentAt),
    at: ({ modem }) => msOf(modem.lastMessageSentAt),
  },
  { id: 'body', kind: 'mono', group: 'reporting', value: ({ modem }) => modem.lastMessageBody?.hex || undefined },
  {
    id: 'expectedRate',
    kind: 'number',
    group: 'reporting',
    value: ({ modem: { expectedTransmissionRate: rate } }) => rate && message('device:perDay', { count: rate.value }),
    edit: 'device.set-expected-rate',
  },
  {
    id: 'interval',
    kind: 'number',
    group: 'reporting',
    value: ({ modem }) => {
      const seconds = secondsOf(modem.transmissionInterval);
      return seconds ? printDuration(seconds) : undefined;
    },
    edit: 'device.set-interval',
  },
  {
    id: 'battery',
    kind: 'time',
    group: 'hardware',
    value: ({ modem }) => textOf(modem.connectedDeviceInfo?.lastBatteryReplacement),
    at: ({ modem }) => msOf(modem.connectedDeviceInfo?.lastBatteryReplacement),
    edit: 'device.replace-battery',
  },
  { id: 'firmware', kind: 'mono', group: 'hardware', value: ({ modem }) => modem.requiredDeviceFirmwareIdentifier },
  { id: 'location', kind: 'mono', group: 'place', value: ({ modem }) => placeText(modem.location?.textual) },
  {
    id: 'timeZone',
    kind: 'text',
    group: 'place',
    value: ({ modem }) => modem.timeZone || undefined,
    edit: 'device.set-time-zone',
  },
  {
    id: 'frequency',
    kind: 'text',
    group: 'reporting',
    value: ({ modem }) => {
      const frequency = modem.connectedDeviceInfo?.frequency;
      return frequency === undefined ? undefined : frequencyWords.word(frequency);
    },
  },
  {
    id: 'identifiers',
    kind: 'mono',
    group: 'hardware',
    value: ({ modem }) => modem.externalDeviceIds.join(', ') || undefined,
    edit: 'device.set-identifier',
  },
  {
    id: 'peripherals',
    kind: 'text',
    group: 'hardware',
    value: (item) => peripheralsText(peripheralsOf(item)),
    edit: 'device.set-peripherals',
  },
  {
    id: 'manufacturer',
    kind: 'text',
    group: 'hardware',
    value: ({ modem }) => modem.technical?.manufacturer || undefined,
  },
  {
    id: 'batch',
    kind: 'mono',
    group: 'hardware',
    value: ({ modem }) => modem.technical?.hardwareProductionBatch || undefined,
  },
  {
    id: 'metadata',
    kind: 'text',
    group: 'notes',
    value: ({ modem: { metadata } }) => jsonLines(metadata) || undefined,
  },
  {
    id: 'notes',
    kind: 'text',
    group: 'notes',
    value: ({ modem }) => modem.notes || undefined,
    edit: 'device.set-notes',
  },
  {
    id: 'secureNotes',
    kind: 'text',
    group: 'notes',
    value: ({ modem }) => modem.secureNotes || undefined,
    edit: 'device.set-secure-notes',
  },
  {
    id: 'organization',
    kind: 'text',
    group: 'place',
    value: organizationOf,
    links: ({ modem, organizations }) => organizationLinks(modem.organization, organizations),
  },
];
