import { create, type JsonObject } from '@bufbuild/protobuf';

import {
  type ProcessPoint,
  type ProcessPoint_AssignedDevice,
  ProcessPoint_AssignedDeviceSchema,
  ProcessPointSchema,
} from '#proto/gen/hiber/process_point_pb.ts';
import type { Value_Numeric_Type } from '#proto/gen/hiber/value_pb.ts';
import { presentFile } from '#server/domains/data/file/files.ts';
import { presentHealthLevel } from '#server/events/health-level.ts';
import { presentTags } from '#server/events/new-event.ts';
import { presentLocation, presentTimestamp } from '#server/wire/present.ts';

import type { ListedPoint, PointDevice } from './list.ts';

export function presentPoint({ row, tags, files, devices }: ListedPoint): ProcessPoint {
  const { latitude, longitude } = row;
  const [current, past] = [
    devices.filter(({ until }) => until === null),
    devices.filter(({ until }) => until !== null),
  ];
  return create(ProcessPointSchema, {
    organization: row.organization,
    identifier: row.identifier,
    name: row.name,
    type: row.type ?? undefined,
    description: row.description || undefined,
    notes: row.notes || undefined,
    timeZone: row.timeZone ?? undefined,
    expectedTransmissionRate:
      row.expectedTransmissionRate === null ? undefined : { value: row.expectedTransmissionRate },
    metadata: row.metadata as JsonObject,
    tags: presentTags(tags),
    devices: current.map(presentCurrentDevice),
    inactiveDevices: past.map(presentPastDevice),
    location: latitude === null || longitude === null ? undefined : presentLocation({ latitude, longitude }),
    files: files.map(presentFile),
  });
}

/** Presents a past device, with only its identity and the time of its assignment (contract: ProcessPointService). */
function presentPastDevice({ device, since, until }: PointDevice): ProcessPoint_AssignedDevice {
  return create(ProcessPoint_AssignedDeviceSchema, {
    number: device.number,
    identifiers: device.externalIds,
    name: device.name,
    type: device.deviceType || undefined,
    assignmentTimeRange: { start: presentTimestamp(since), end: until ? presentTimestamp(until) : undefined },
  });
}

function presentCurrentDevice(item: PointDevice): ProcessPoint_AssignedDevice {
  const { device, level } = item;
  const time = (date: Date | null) => (date ? presentTimestamp(date, device.timeZone ?? 'UTC') : undefined);
  return {
    ...presentPastDevice(item),
    lastMessageSentAt: time(device.lastMessageSentAt),
    lastMessageReceivedAt: time(device.lastMessageReceivedAt),
    health: level ? presentHealthLevel(level) : undefined,
    numericValueTypes: device.numericValueTypes as Value_Numeric_Type[],
  };
}
