import type { JsonObject } from '@bufbuild/protobuf';

import { Modem_ConnectedDeviceInfo_Frequency } from '#proto/hiber/modem_pb';
import { printDuration } from '../core/duration.ts';
import { asLinks, type Fact } from '../core/entity.ts';
import { enumWords } from '../core/enum-words.ts';
import { message } from '../core/message.ts';
import { msOf, secondsOf, textOf } from '../core/wire.ts';
import { brandOf } from './catalogue.ts';
import { lifecycleOf, typeText } from './columns.ts';
import { peripheralsOf, peripheralsText } from './peripherals.ts';
import type { Device } from './item.ts';

const gatewayOf = ({ modem }: Device): string | undefined => modem.connectedDeviceInfo?.connectedToGateway || undefined;
const frequencyWords = enumWords(Modem_ConnectedDeviceInfo_Frequency, 'device:frequency');

/** A line for each, `site code: K12`; a value that has parts of its own as it is written in JSON. */
function metadataText(metadata: JsonObject | undefined): string | undefined {
  const lines = Object.entries(metadata ?? {}).map(
    ([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  return lines.join('\n') || undefined;
}

/** `57.64627, 0.98948` */
const locationOf = ({ modem: { location } }: Device): string | undefined =>
  location?.textual?.replace(/^\[(.*)\]$/, '$1').replaceAll(/,(?=\S)/g, ', ');

/** What the overview of a device shows, in this order; a line without a value is left out. */
export const deviceFacts: readonly Fact<Device>[] = [
  { id: 'health', kind: 'health', value: ({ modem }) => modem.healthLevel?.level, level: ({ level }) => level },
  { id: 'lifecycle', kind: 'status', value: lifecycleOf, edit: 'device.set-lifecycle' },
  { id: 'number', kind: 'mono', value: ({ modem }) => modem.number },
  { id: 'name', kind: 'text', value: ({ modem }) => modem.name, edit: 'device.rename' },
  { id: 'type', kind: 'text', value: typeText },
  { id: 'model', kind: 'text', value: ({ modem }) => modem.deviceType || undefined },
  { id: 'brand', kind: 'text', value: ({ modem }) => brandOf(modem) || undefined },
  {
    id: 'processPoints',
    kind: 'text',
    value: ({ modem }) => modem.processPoints.map(({ name }) => name).join(', ') || undefined,
  },
  { id: 'gateway', kind: 'mono', value: gatewayOf, links: (item) => asLinks('device', gatewayOf(item)) },
  { id: 'connected', kind: 'number', value: ({ modem }) => modem.gatewayInfo?.numberOfConnectedDevices.toString() },
  {
    id: 'last',
    kind: 'age',
    value: ({ modem }) => textOf(modem.lastMessageReceivedAt),
    at: ({ modem }) => msOf(modem.lastMessageReceivedAt),
  },
  {
    id: 'sent',
    kind: 'time',
    value: ({ modem }) => textOf(modem.lastMessageSentAt),
    at: ({ modem }) => msOf(modem.lastMessageSentAt),
  },
  { id: 'body', kind: 'mono', value: ({ modem }) => modem.lastMessageBody?.hex || undefined },
  {
    id: 'expectedRate',
    kind: 'number',
    value: ({ modem: { expectedTransmissionRate: rate } }) => rate && message('device:perDay', { count: rate.value }),
    edit: 'device.set-expected-rate',
  },
  {
    id: 'interval',
    kind: 'number',
    value: ({ modem }) => {
      const seconds = secondsOf(modem.transmissionInterval);
      return seconds ? printDuration(seconds) : undefined;
    },
    edit: 'device.set-interval',
  },
  {
    id: 'battery',
    kind: 'time',
    value: ({ modem }) => textOf(modem.connectedDeviceInfo?.lastBatteryReplacement),
    at: ({ modem }) => msOf(modem.connectedDeviceInfo?.lastBatteryReplacement),
    edit: 'device.replace-battery',
  },
  { id: 'firmware', kind: 'mono', value: ({ modem }) => modem.requiredDeviceFirmwareIdentifier },
  { id: 'location', kind: 'mono', value: locationOf },
  { id: 'timeZone', kind: 'text', value: ({ modem }) => modem.timeZone || undefined, edit: 'device.set-time-zone' },
  {
    id: 'frequency',
    kind: 'text',
    value: ({ modem }) => {
      const frequency = modem.connectedDeviceInfo?.frequency;
      return frequency === undefined ? undefined : frequencyWords.word(frequency);
    },
  },
  {
    id: 'identifiers',
    kind: 'mono',
    value: ({ modem }) => modem.externalDeviceIds.join(', ') || undefined,
    edit: 'device.set-identifier',
  },
  {
    id: 'peripherals',
    kind: 'text',
    value: (item) => peripheralsText(peripheralsOf(item)),
    edit: 'device.set-peripherals',
  },
  { id: 'manufacturer', kind: 'text', value: ({ modem }) => modem.technical?.manufacturer || undefined },
  { id: 'batch', kind: 'mono', value: ({ modem }) => modem.technical?.hardwareProductionBatch || undefined },
  {
    id: 'metadata',
    kind: 'text',
    value: ({ modem: { metadata } }) => metadataText(metadata),
  },
  { id: 'notes', kind: 'text', value: ({ modem }) => modem.notes || undefined, edit: 'device.set-notes' },
  {
    id: 'secureNotes',
    kind: 'text',
    value: ({ modem }) => modem.secureNotes || undefined,
    edit: 'device.set-secure-notes',
  },
  {
    id: 'organization',
    kind: 'mono',
    value: ({ modem }) => modem.organization,
    links: ({ modem }) => asLinks('organization', modem.organization),
  },
];
