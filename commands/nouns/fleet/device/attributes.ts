import { attributes } from '#commands/kit/attributes.ts';
import { enumLabels } from '#commands/kit/enum-labels.ts';
import { jsonLines } from '#commands/kit/json-lines.ts';
import { numericTypeLabels } from '#commands/kit/latest-values.ts';
import { organizationLinks } from '#commands/kit/organization-names.ts';
import { asLinks } from '#commands/model/column.ts';
import { toMs, toSeconds, textOf } from '#commands/model/wire.ts';
import { tagLabels } from '#commands/nouns/fleet/tag/item.ts';
import { printDuration } from '#commands/text/duration.ts';
import { formatLocation } from '#commands/text/location.ts';
import { message } from '#commands/text/message.ts';
import type { File } from '#proto/gen/hiber/file_pb.ts';
import { Modem_ConnectedDeviceInfo_Frequency } from '#proto/gen/hiber/modem_pb.ts';

import { deviceFields, type DeviceField } from './fields.ts';
import { brandOf, type Device, type DeviceSelection } from './item.ts';
import { lifecycleOf, organizationOf, typeText } from './labels.ts';
import { peripheralsOf, peripheralsText } from './peripherals.ts';

const gatewayOf = ({ modem }: Device): string | undefined => modem.connectedDeviceInfo?.connectedToGateway || undefined;
const frequencyLabels = enumLabels(Modem_ConnectedDeviceInfo_Frequency, 'device:frequency');

/**
 * Returns the numbers of received and expected messages in the last 24 hours: `5 / 24`. The contract has no field for
 * the received count, so our server adds it to the metadata. Other servers return only the expected count.
 */
function receivedText({ modem: { metadata, expectedTransmissionRate: expected } }: Device): string | undefined {
  const receivedCount = metadata?.['received24h'];
  const parts = [typeof receivedCount === 'number' ? `${receivedCount}` : undefined, expected && `${expected.value}`];
  return parts.filter((part) => part !== undefined).join(' / ') || undefined;
}

/** Ignores case and separators: `battery_type` is `batteryType`. */
const normalize = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

/**
 * Reads a field that the contract lacks (spec 3: Device) from the metadata, by the first of the names that has a value.
 */
function fromMetadata(...names: readonly string[]) {
  return ({ modem: { metadata = {} } }: Device): string | undefined => {
    const values = new Map(Object.entries(metadata).map(([name, value]) => [normalize(name), value]));
    for (const name of names) {
      const value = values.get(normalize(name));
      if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return `${value}`;
    }
    return undefined;
  };
}

const fileNameOf = ({ name, identifier }: File): string => name || identifier;

/** The tags of a type, which has its own sort (contract: TagService). */
function tagsOfType(type: string, sort: string) {
  const tagsOf = ({ modem }: Device) => modem.tags.filter(({ label }) => label?.type === type);
  return {
    kind: 'tags',
    value: (item: Device) =>
      tagsOf(item)
        .map(({ label }) => label?.name)
        .join(', ') || undefined,
    tags: (item: Device) => tagLabels(tagsOf(item), item.modem.organization),
    column: { optional: true, width: 130, sort },
    detail: 'place',
  } as const;
}

/** `filter.ts` has the filter keys, in the order of suggestions. */
export const deviceAttributes = attributes<Device, DeviceSelection, DeviceField>({
  health: {
    kind: 'health',
    value: ({ modem }) => modem.healthLevel?.level,
    level: ({ level }) => level,
    column: { width: 28, sort: 'health' },
    detail: 'state',
  },
  number: {
    kind: 'mono',
    value: ({ modem }) => modem.number,
    column: { width: 88, sort: 'number' },
    detail: 'identity',
  },
  name: {
    kind: 'text',
    value: ({ modem }) => modem.name,
    column: { width: 200, grow: 2, sort: 'name' },
    detail: 'identity',
    edit: 'device.rename',
    field: deviceFields.name,
  },
  type: {
    kind: 'text',
    value: typeText,
    column: { width: 80 },
    detail: 'hardware',
  },
  lifecycle: {
    kind: 'status',
    value: lifecycleOf,
    column: { width: 150, sort: 'lifecycle' },
    detail: 'state',
    edit: 'device.set-lifecycle',
    field: deviceFields.lifecycle,
  },
  last: {
    kind: 'age',
    value: ({ modem }) => textOf(modem.lastMessageReceivedAt),
    time: ({ modem }) => toMs(modem.lastMessageReceivedAt),
    column: { width: 104, sort: 'last' },
    detail: 'state',
  },
  received: { kind: 'number', value: receivedText, column: { width: 84 } },
  tags: {
    kind: 'tags',
    value: ({ modem }) => modem.tags.map((tag) => tag.label?.name).join(', '),
    tags: ({ modem }) => tagLabels(modem.tags, modem.organization),
    column: { width: 200, grow: 2 },
  },
  well: tagsOfType('well', 'well'),
  site: tagsOfType('site', 'site'),
  area: tagsOfType('production_area', 'area'),
  model: {
    kind: 'text',
    value: ({ modem }) => modem.deviceType || undefined,
    column: { width: 130, grow: 1, sort: 'model' },
    detail: 'hardware',
  },
  brand: {
    kind: 'text',
    value: ({ modem }) => brandOf(modem) || undefined,
    column: { width: 110, comfortableWidth: 150, grow: 1, sort: 'brand' },
    detail: 'hardware',
  },
  application: {
    kind: 'text',
    value: ({ typeInfo }) => typeInfo?.application || undefined,
    column: { optional: true, width: 170 },
    detail: 'hardware',
  },
  category: {
    kind: 'text',
    value: ({ typeInfo }) => typeInfo?.category || undefined,
    column: { optional: true, width: 110 },
    detail: 'hardware',
  },
  version: {
    kind: 'mono',
    value: ({ typeInfo }) => typeInfo?.version || undefined,
    column: { optional: true, width: 96 },
    detail: 'hardware',
  },
  firmwareVersion: {
    kind: 'mono',
    value: fromMetadata('firmwareVersion', 'firmware'),
    column: { optional: true, width: 110 },
    detail: 'hardware',
  },
  rebootCounter: {
    kind: 'number',
    value: fromMetadata('rebootCounter', 'reboots'),
    column: { optional: true, width: 96 },
    detail: 'hardware',
  },
  batteryType: {
    kind: 'text',
    value: fromMetadata('batteryType'),
    column: { optional: true, width: 130 },
    detail: 'hardware',
  },
  owner: {
    kind: 'text',
    value: fromMetadata('owner'),
    column: { optional: true, width: 130 },
    detail: 'place',
  },
  measures: {
    kind: 'text',
    value: ({ modem }) => numericTypeLabels.list(modem.numericValueTypes),
    column: { optional: true, width: 160 },
    detail: 'hardware',
  },
  processPoints: {
    kind: 'text',
    value: ({ modem }) => modem.processPoints.map(({ name }) => name).join(', ') || undefined,
    links: ({ modem: { organization, processPoints } }) =>
      processPoints.map(({ identifier, name }) => ({ entity: 'process-point', id: identifier, name, organization })),
    column: { optional: true, width: 200, sort: 'process-point' },
    detail: 'place',
  },
  gateway: {
    kind: 'mono',
    value: gatewayOf,
    links: (item) => asLinks('device', gatewayOf(item)),
    column: { optional: true, width: 88 },
    detail: 'reporting',
  },
  connected: {
    kind: 'number',
    value: ({ modem }) => modem.gatewayInfo?.numberOfConnectedDevices.toString(),
    column: { optional: true, width: 96 },
    detail: 'reporting',
  },
  sent: {
    kind: 'time',
    value: ({ modem }) => textOf(modem.lastMessageSentAt),
    time: ({ modem }) => toMs(modem.lastMessageSentAt),
    column: { optional: true, width: 130 },
    detail: 'reporting',
  },
  body: {
    kind: 'mono',
    value: ({ modem }) => modem.lastMessageBody?.hex || undefined,
    column: { optional: true, width: 200 },
    detail: 'reporting',
  },
  bodySize: {
    kind: 'number',
    value: ({ modem: { lastMessageBody: body } }) =>
      body?.bytes && message('device:bytes', { count: body.bytes.length }),
    column: { optional: true, width: 96 },
    detail: 'reporting',
  },
  expectedRate: {
    kind: 'number',
    value: ({ modem: { expectedTransmissionRate: rate } }) => rate && message('device:perDay', { count: rate.value }),
    column: { optional: true, width: 96 },
    detail: 'reporting',
    edit: 'device.set-expected-rate',
    field: deviceFields.expectedRate,
  },
  interval: {
    kind: 'number',
    value: ({ modem }) => {
      const seconds = toSeconds(modem.transmissionInterval);
      return seconds ? printDuration(seconds) : undefined;
    },
    column: { optional: true, width: 96 },
    detail: 'reporting',
    edit: 'device.set-interval',
    field: deviceFields.interval,
  },
  battery: {
    kind: 'time',
    value: ({ modem }) => textOf(modem.connectedDeviceInfo?.lastBatteryReplacement),
    time: ({ modem }) => toMs(modem.connectedDeviceInfo?.lastBatteryReplacement),
    column: { optional: true, width: 130 },
    detail: 'hardware',
    edit: 'device.replace-battery',
  },
  firmware: {
    kind: 'mono',
    value: ({ modem }) => modem.requiredDeviceFirmwareIdentifier,
    column: { optional: true, width: 110 },
    // A required firmware means that an update is due (contract: Modem).
    detail: {
      group: 'hardware',
      level: ({ modem }) => (modem.requiredDeviceFirmwareIdentifier ? 'warning' : 'none'),
      // The contract has no list of firmware to open, only the file to download.
      opens: ({ modem: { number, requiredDeviceFirmwareIdentifier: name } }) =>
        name ? [{ name, invocation: { id: 'device.download-firmware', args: { devices: { ids: [number] } } } }] : [],
    },
  },
  location: {
    kind: 'mono',
    value: ({ modem }) => formatLocation(modem.location?.textual),
    column: { optional: true, width: 180 },
    detail: 'place',
  },
  timeZone: {
    kind: 'text',
    value: ({ modem }) => modem.timeZone || undefined,
    column: { optional: true, width: 130 },
    detail: 'place',
    edit: 'device.set-time-zone',
    field: deviceFields.timeZone,
  },
  frequency: {
    kind: 'text',
    value: ({ modem }) => {
      const frequency = modem.connectedDeviceInfo?.frequency;
      return frequency === undefined ? undefined : frequencyLabels.text(frequency);
    },
    column: { optional: true, width: 96 },
    detail: 'reporting',
  },
  identifiers: {
    kind: 'mono',
    value: ({ modem }) => modem.externalDeviceIds.join(', ') || undefined,
    column: { optional: true, width: 170 },
    detail: 'hardware',
    edit: 'device.set-identifier',
  },
  peripherals: {
    kind: 'text',
    value: (item) => peripheralsText(peripheralsOf(item)),
    column: { optional: true, width: 170 },
    detail: 'hardware',
    edit: 'device.set-peripherals',
    field: deviceFields.peripherals,
  },
  manufacturer: {
    kind: 'text',
    value: ({ modem }) => modem.technical?.manufacturer || undefined,
    column: { optional: true, width: 130 },
    detail: 'hardware',
  },
  batch: {
    kind: 'mono',
    value: ({ modem }) => modem.technical?.hardwareProductionBatch || undefined,
    column: { optional: true, width: 110 },
    detail: 'hardware',
  },
  metadata: {
    kind: 'text',
    value: ({ modem: { metadata } }) => jsonLines(metadata) || undefined,
    column: { optional: true, width: 200 },
    detail: 'notes',
  },
  notes: {
    kind: 'text',
    value: ({ modem }) => modem.notes || undefined,
    column: { optional: true, width: 200 },
    detail: 'notes',
    edit: 'device.set-notes',
    field: deviceFields.notes,
  },
  secureNotes: {
    kind: 'text',
    value: ({ modem }) => modem.secureNotes || undefined,
    column: { optional: true, width: 200 },
    detail: 'notes',
    edit: 'device.set-secure-notes',
    field: deviceFields.secureNotes,
  },
  files: {
    kind: 'text',
    value: ({ modem }) => modem.files.map(fileNameOf).join(', ') || undefined,
    column: { optional: true, width: 160 },
    detail: {
      group: 'notes',
      opens: ({ modem: { number, files } }) =>
        files.map((file) => ({
          name: fileNameOf(file),
          invocation: {
            id: 'device.download-file',
            args: { devices: { ids: [number] }, file: file.identifier },
          },
        })),
    },
  },
  organization: {
    kind: 'text',
    value: organizationOf,
    links: ({ modem, organizations }) => organizationLinks(modem.organization, organizations),
    column: { width: 150, grow: 1, sort: 'organization', when: 'below' },
    detail: 'place',
  },
});
