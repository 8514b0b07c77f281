import { create, type JsonObject } from '@bufbuild/protobuf';

import type { BytesOrHex } from '#proto/gen/hiber/base_pb.ts';
import { type Device, DeviceSchema } from '#proto/gen/hiber/device_pb.ts';
import {
  type Modem,
  type Modem_ConnectedDeviceInfo_Frequency,
  type Modem_Lifecycle,
  Modem_Type,
  ModemSchema,
} from '#proto/gen/hiber/modem_pb.ts';
import { type ProcessPoint, ProcessPointSchema } from '#proto/gen/hiber/process_point_pb.ts';
import type { Value_Numeric_Type } from '#proto/gen/hiber/value_pb.ts';
import type { Valve_HighPressureLineStatus } from '#proto/gen/hiber/valve_pb.ts';
import type { App } from '#server/app/app.ts';
import { presentFile } from '#server/domains/data/file/files.ts';
import { presentTags } from '#server/events/new-event.ts';
import type { Scope } from '#server/session/scope.ts';
import { presentBytes, presentDuration, presentLocation, presentTimestamp } from '#server/wire/present.ts';

import type { ListedDevice } from './listed-device.ts';
import { unsealNotes } from './secure-notes.ts';

/** What the viewer may see, and the current time. */
export interface Viewer {
  readonly now: Date;
  /**
   * Decrypts secure notes. Undefined if the viewer lacks MODEMS_SECURE_NOTES. Secure notes are then left empty
   * (contract: Modem fields).
   */
  readonly unsealNotes: ((stored: string) => string) | undefined;
  /** True if the viewer has PROCESS_POINTS. Otherwise process points are left empty (contract: ModemService). */
  readonly seesPoints: boolean;
  /** True if the viewer has MODEM_MESSAGES. Otherwise the body of the last message is left empty. */
  readonly seesMessages: boolean;
}

export const createViewer = ({ secrets }: Pick<App, 'secrets'>, caller: Scope, now: Date): Viewer => ({
  now,
  unsealNotes: caller.can('MODEMS_SECURE_NOTES') ? (stored) => unsealNotes(secrets, stored) : undefined,
  seesPoints: caller.can('PROCESS_POINTS'),
  seesMessages: caller.can('MODEM_MESSAGES'),
});

const presentDeviceLocation = ({ row: { latitude, longitude } }: ListedDevice) =>
  latitude === null || longitude === null ? undefined : presentLocation({ latitude, longitude });

/** Returns the device's time zone, or UTC if it has none. */
const zoneOf = ({ timeZone }: ListedDevice['row']): string => timeZone ?? 'UTC';

/** Presents the time since the device's last message arrived. Unset if none has. */
const presentInactivity = ({ row }: ListedDevice, now: Date) =>
  row.lastMessageReceivedAt === null
    ? undefined
    : presentDuration(Math.max(0, Math.floor((now.getTime() - row.lastMessageReceivedAt.getTime()) / 1000)));

/** The contract has a single unit for rates, ITEMS_PER_24_HOURS. */
const presentRate = ({ row }: ListedDevice) =>
  row.expectedTransmissionRate === null ? undefined : { value: row.expectedTransmissionRate };

/**
 * Presents device data that the contract has no field for. Our addition `received24h` is the number of
 * messages in the last 24 hours, which can be compared with the expected rate.
 */
const presentMetadata = ({ row, receivedCount }: ListedDevice): JsonObject => ({
  ...(row.metadata as JsonObject),
  received24h: receivedCount,
});

export function presentDevice(listedDevice: ListedDevice, viewer: Viewer): Device {
  const { row } = listedDevice;
  const hasLink = row.gateway !== null || row.externalIds.length > 0;
  return create(DeviceSchema, {
    number: row.number,
    organization: row.organization,
    name: row.name,
    location: presentDeviceLocation(listedDevice),
    inactivity: presentInactivity(listedDevice, viewer.now),
    health: listedDevice.level,
    lifecycle: row.lifecycle as Modem_Lifecycle,
    peripherals: row.peripherals,
    notes: row.notes,
    secureNotes: viewer.unsealNotes?.(row.secureNotes),
    tags: presentTags(listedDevice.tags),
    link: hasLink ? { identifiers: row.externalIds, gateway: row.gateway ?? undefined } : undefined,
    metadata: presentMetadata(listedDevice),
    timeZone: zoneOf(row),
    transmissionInterval: row.transmissionInterval === null ? undefined : presentDuration(row.transmissionInterval),
    expectedTransmissionRate: presentRate(listedDevice),
    type: row.deviceType,
    sensorBrand: row.sensorBrand,
    numericValueTypes: row.numericValueTypes as Value_Numeric_Type[],
    files: listedDevice.files.map(presentFile),
    requiredDeviceFirmwareIdentifier: row.requiredFirmware ?? undefined,
    processPoints: presentPoints(listedDevice, viewer),
  });
}

export function presentModem(listedDevice: ListedDevice, viewer: Viewer): Modem {
  const { row } = listedDevice;
  const zone = zoneOf(row);
  return create(ModemSchema, {
    number: row.number,
    organization: row.organization,
    name: row.name,
    location: presentDeviceLocation(listedDevice),
    lastMessageReceivedAt: row.lastMessageReceivedAt ? presentTimestamp(row.lastMessageReceivedAt, zone) : undefined,
    lastMessageSentAt: row.lastMessageSentAt ? presentTimestamp(row.lastMessageSentAt, zone) : undefined,
    lastMessageBody: viewer.seesMessages && row.lastMessageBody ? presentBytes(row.lastMessageBody) : undefined,
    lastMessageId: BigInt(row.lastMessageId ?? 0),
    technical: { hardwareProductionBatch: row.hardwareProductionBatch, manufacturer: row.manufacturer },
    tags: presentTags(listedDevice.tags),
    peripherals: { gps: row.gps, peripherals: row.peripherals, customAntenna: row.customAntenna },
    lifecycle: row.lifecycle as Modem_Lifecycle,
    notes: row.notes,
    secureNotes: viewer.unsealNotes?.(row.secureNotes) ?? '',
    externalDeviceIds: row.externalIds,
    isGateway: row.type === Modem_Type.GATEWAY,
    isDeviceConnectedToGateway: row.gateway !== null,
    connectedToGateway: row.gateway ?? '',
    type: row.type as Modem_Type,
    ...kindInfo(listedDevice),
    healthLevel: listedDevice.level,
    inactivity: presentInactivity(listedDevice, viewer.now),
    metadata: presentMetadata(listedDevice),
    timeZone: zone,
    transmissionInterval: row.transmissionInterval === null ? undefined : presentDuration(row.transmissionInterval),
    expectedTransmissionRate: presentRate(listedDevice),
    numericValueTypes: row.numericValueTypes as Value_Numeric_Type[],
    files: listedDevice.files.map(presentFile),
    deviceType: row.deviceType,
    requiredDeviceFirmwareIdentifier: row.requiredFirmware ?? undefined,
    processPoints: presentPoints(listedDevice, viewer),
  });
}

function presentPoints({ row, points }: ListedDevice, { seesPoints }: Viewer): ProcessPoint[] {
  if (!seesPoints) return [];
  return points.map(({ identifier, name, type }) =>
    create(ProcessPointSchema, { organization: row.organization, identifier, name, type: type ?? undefined }),
  );
}

/** Presents the fields that only gateways, connected devices, or valves have. */
function kindInfo({ row, connectedCount }: ListedDevice) {
  // Deprecated because the device itself has these fields.
  const repeatedFields = { deviceType: row.deviceType, externalDeviceIds: row.externalIds };
  return {
    gatewayInfo:
      row.type === Modem_Type.GATEWAY
        ? { numberOfConnectedDevices: connectedCount, gatewayBrand: row.gatewayBrand ?? '', ...repeatedFields }
        : undefined,
    connectedDeviceInfo:
      row.gateway === null
        ? undefined
        : {
            connectedToGateway: row.gateway,
            ...repeatedFields,
            sensorBrand: row.sensorBrand,
            frequency: (row.frequency ?? undefined) as Modem_ConnectedDeviceInfo_Frequency | undefined,
            lastBatteryReplacement: row.batteryReplacedAt
              ? presentTimestamp(row.batteryReplacedAt, zoneOf(row))
              : undefined,
            settings: presentSettings(row.settings),
          },
    valveInfo:
      row.type === Modem_Type.VALVE
        ? {
            open: row.valveOpen ?? undefined,
            highPressureLineStatus: (row.valveLineStatus ?? undefined) as Valve_HighPressureLineStatus | undefined,
          }
        : undefined,
  };
}

/** Presents settings, which are stored as hexadecimal text. */
export const presentSettings = (settings: Readonly<Record<string, string>>): Record<string, BytesOrHex> =>
  Object.fromEntries(Object.entries(settings).map(([name, hex]) => [name, presentBytes(Buffer.from(hex, 'hex'))]));
